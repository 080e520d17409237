import type { SponsorshipSummary } from '../generated/gateway-types.js';

/** Of new sponsorships above a list, more are not counted. */
export const MOST_COUNTED = 100;

/**
 * A list, newest first, in the states that the newest ones have now, and the number of those that are not in
 * it.
 */
export function followList(
  listed: readonly SponsorshipSummary[],
  newest: readonly SponsorshipSummary[],
): { readonly rows: readonly SponsorshipSummary[]; readonly added: number } {
  const first = listed[0]?.reservation_id ?? 0;
  const now = new Map(newest.map((one) => [one.reservation_id, one]));
  const rows = listed.map((one) => now.get(one.reservation_id) ?? one);
  return { rows, added: newest.filter(({ reservation_id: id }) => id > first).length };
}
