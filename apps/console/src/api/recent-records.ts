import type { SponsorshipSummary } from './gateway-types.js';

/** Recent sponsorships are those of the last 30 days, at most the newest of so many. */
export const MOST_NEWEST = 20;
export const RECENT_MS = 30 * 86_400_000;

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
