/** Compares versions such as `20.19` and `20.2.1` number by number; negative if the first is older. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
