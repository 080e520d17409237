import type { SponsorshipSummary } from '../generated/gateway-types.js';

/** Recent sponsorships are those of the last 30 days, at most the newest of so many. */
export const MOST_NEWEST = 20;
export const RECENT_MS = 30 * 86_400_000;
/** Of new sponsorships above a list, more are not counted. */
export const MOST_COUNTED = 100;

/** Recent sponsorships, newest first, after some of them have changed or were added. */
export function mergeSponsorships(
  before: readonly SponsorshipSummary[],
  changed: readonly SponsorshipSummary[],
  now: number,
): readonly SponsorshipSummary[] {
  const byId = new Map([...before, ...changed].map((one) => [one.reservation_id, one]));
  return [...byId.values()]
    .filter(({ created_at: at }) => at >= now - RECENT_MS)
    .sort((a, b) => b.reservation_id - a.reservation_id)
    .slice(0, MOST_NEWEST);
}

/** A list, newest first, in the states that the newest ones have now, and the number of those that are not in it. */
export function followList(
  listed: readonly SponsorshipSummary[],
  newest: readonly SponsorshipSummary[],
): { readonly rows: readonly SponsorshipSummary[]; readonly added: number } {
  const first = listed[0]?.reservation_id ?? 0;
  const now = new Map(newest.map((one) => [one.reservation_id, one]));
  const rows = listed.map((one) => now.get(one.reservation_id) ?? one);
  return { rows, added: newest.filter(({ reservation_id: id }) => id > first).length };
}
