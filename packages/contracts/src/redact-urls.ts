const HIDDEN = '***';
const BEGINS_WITH_URL = /^\s*[a-z][a-z0-9+.-]*:\/\//i;
/** Looks behind, so that a long text is read once. */
const URL_INSIDE = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/\S*/gi;

/**
 * A text for people: without user name, password, query and fragment of the URLs in it, any of which may be a
 * secret. Where a password is not encoded, more is hidden.
 */
export function redactUrls(text: string): string {
  if (!text.includes('://')) return text;
  return BEGINS_WITH_URL.test(text) ? redact(text) : text.replaceAll(URL_INSIDE, redact);
}

function redact(url: string): string {
  const start = url.indexOf('://') + 3;
  const [scheme, rest] = [url.slice(0, start), url.slice(start)];
  const hostMark = rest.lastIndexOf('@');
  const end = rest.search(/[/?#]/);
  // The password may have this character, or the query may: nothing says where the host is.
  if (end >= 0 && hostMark > end) return `${scheme}${HIDDEN}`;
  const place = hostMark < 0 ? rest : `${HIDDEN}@${rest.slice(hostMark + 1)}`;
  const query = place.search(/[?#]/);
  return scheme + (query < 0 ? place : `${place.slice(0, query + 1)}${HIDDEN}`);
}
