/**
 * The delay that a `Retry-After` header requests, in milliseconds: seconds or a date (RFC 9110, 10.2.3); null
 * if the header is absent, repeated or unreadable. Callers bound it: a wrong header must not disable a node
 * for hours.
 */
export function readRetryAfter(
  header: string | readonly string[] | undefined,
  now = Date.now(),
): number | null {
  if (typeof header !== 'string') return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** The value of a `Retry-After` header for a wait of so many seconds: at least one. */
export function retryAfterSecs(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
