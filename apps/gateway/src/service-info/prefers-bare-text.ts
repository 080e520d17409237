/** Whether an Accept header lists plain text before JSON and before a wildcard. */
export function prefersBareText(accept: string | undefined): boolean {
  for (const range of (accept ?? '').split(',')) {
    const type = range.split(';')[0]?.trim().toLowerCase();
    if (type === 'text/plain' || type === 'text/*') return true;
    if (type === '*/*' || type === 'application/json' || type === 'application/*') return false;
  }
  return false;
}
