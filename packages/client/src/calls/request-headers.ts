const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Headers of every request, with the token if there is one. Throws `TypeError` for a token that no header can carry. */
export function requestHeaders(token: string | undefined): Record<string, string> {
  const headers = { 'content-type': 'application/json' };
  if (token === undefined) return headers;
  // The token itself is a secret and must not reach a log.
  if (!VISIBLE_ASCII.test(token)) {
    throw new TypeError('token must consist of visible ASCII characters, without spaces');
  }
  return { ...headers, authorization: `Bearer ${token}` };
}
