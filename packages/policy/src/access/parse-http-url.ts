/** Throws `Error`, whose text does not repeat the URL: it may contain a password. */
export function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new Error('must be a URL that begins with http:// or https://');
}
