/** The folders to search for programs: the PATH of this process. */
export function inheritedPath(): string {
  return process.env['PATH'] ?? '';
}
