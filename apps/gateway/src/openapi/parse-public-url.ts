/** The public address of the gateways, without a trailing slash. Throws `Error` with the rule that it breaks. */
export function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  const isAddress =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isAddress) {
    throw new Error(
      'must be an http(s) URL without user, query and fragment, such as https://gas.example.com',
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
