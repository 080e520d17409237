/** The folders to search for programs: the PATH of this process. */
export function programPath(): string {
  return process.env['PATH'] ?? '';
}
