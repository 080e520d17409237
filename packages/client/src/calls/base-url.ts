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
