/**
 * Scheme, host and path of a parsed address without a user name. The `URL` of React Native only has the
 * whole.
 */
const BASE = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?(?=[?#]|$)/i;

/**
 * The address of a gas station, without a trailing slash. A relative address is resolved against the
 * browser's page. Throws `TypeError` for an address that cannot receive requests.
 */
export function readBaseUrl(url: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const base = BASE.exec(parse(url, page))?.[0];
  if (base !== undefined) return base.replace(/\/+$/, '');
  throw new TypeError(
    `url must be an http or https address without a user name; got ${JSON.stringify(url)}`,
  );
}

/** The address in its normal form; empty for other texts. */
function parse(url: string, page: string | undefined): string {
  try {
    return (page === undefined ? new URL(url) : new URL(url, page)).href;
  } catch {
    return '';
  }
}

/** A time in ms. `name` is the option's. Throws `TypeError`. */
export function readTimeLimit(name: string, ms = 60_000): number {
  if (ms > 0) return ms;
  throw new TypeError(`${name} must be above 0; got ${ms}`);
}

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Headers of every request, with the token if there is one. Throws `TypeError` for a token that no header can
 * carry.
 */
export function requestHeaders(token: string | undefined): Record<string, string> {
  const headers = { 'content-type': 'application/json' };
  if (token === undefined) return headers;
  // The token itself is a secret and must not reach a log.
  if (!VISIBLE_ASCII.test(token)) {
    throw new TypeError('token must consist of visible ASCII characters, without spaces');
  }
  return { ...headers, authorization: `Bearer ${token}` };
}
