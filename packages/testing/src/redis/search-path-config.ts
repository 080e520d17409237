/** Where programs are looked for: the PATH of this process. */
export function inheritedPath(): string {
  return process.env['PATH'] ?? '';
}
