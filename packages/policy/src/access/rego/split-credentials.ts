import { parseHttpUrl } from '../parse-http-url.js';

export interface HttpTarget {
  /** Without user name and password: `fetch` refuses them, and error texts must not show them. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Moves the user name and password of an HTTP URL into a header (Basic authentication). Throws `Error` if it is not an
 * HTTP URL.
 */
export function splitCredentials(text: string): HttpTarget {
  const url = parseHttpUrl(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(pair).toString('base64');
  return { url, headers: { authorization: `Basic ${credentials}` } };
}
