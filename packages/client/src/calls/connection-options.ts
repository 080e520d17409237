/**
 * The address of a gas station, without a trailing slash. A relative address is resolved against the browser's page.
 * Throws `TypeError` for an address that cannot receive requests.
 */
export function readBaseUrl(url: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  if (URL.canParse(url, page)) {
    const { origin, protocol, username, pathname } = new URL(url, page);
    if (/^https?:$/.test(protocol) && username === '') {
      return `${origin}${pathname}`.replace(/\/+$/, '');
    }
  }
  throw new TypeError(
    `url must be an http or https address without a user name; got ${JSON.stringify(url)}`,
  );
}

/** A time in ms. `name` is the option's. Throws `TypeError`. */
export function readTimeLimit(name: string, ms = 60_000): number {
  if (ms > 0) return ms;
  throw new TypeError(`${name} must be above 0; got ${ms}`);
}

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
