/** `2027-01-31T00:00:00Z` in milliseconds since 1970. Throws `Error` with the required format. */
export function readInstant(text: string): number {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new Error('must be a date, such as 2027-01-31T00:00:00Z');
  return instant;
}
