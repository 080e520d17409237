/** Throws `Error` with the expected form, without the text, which may hold a password. */
export function parseDatabaseUrl(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'postgres:' || protocol === 'postgresql:') return text;
  throw new Error('must be a URL that begins with postgres://');
}
