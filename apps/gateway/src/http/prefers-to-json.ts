/** Whether an Accept header lists one of these types before JSON and before a wildcard. */
export function prefersToJson(accept: string | undefined, types: readonly string[]): boolean {
  for (const range of (accept ?? '').split(',')) {
    const type = range.split(';')[0]?.trim().toLowerCase() ?? '';
    if (types.includes(type)) return true;
    if (type === '*/*' || type === 'application/json' || type === 'application/*') return false;
  }
  return false;
}
