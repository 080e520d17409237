const DEFAULT_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * The delay that a `Retry-After` header requests, in milliseconds: seconds or a date (RFC 9110,
 * 10.2.3), 1 s without one, at most 60 s.
 */
export function readRetryAfter(header: string | string[] | undefined, now = Date.now()): number {
  const text = String(header ?? '').trim();
  const asked = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (Number.isNaN(asked)) return DEFAULT_MS;
  return Math.min(Math.max(asked, 0), LONGEST_MS);
}
