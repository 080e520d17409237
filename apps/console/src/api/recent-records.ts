import type { RefusalSummary, SponsorshipSummary } from './gateway-types.js';

/** Recent records are those of the last hour, at most the newest of so many: refusals are counted, sponsorships are shown. */
export const MOST_RECENT = 1_000;
export const MOST_NEWEST = 20;
export const RECENT_MS = 3_600_000;

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

/** Recent refusals, newest first, after others; `added` begins with the oldest. */
export function addRefusals(
  before: readonly RefusalSummary[],
  added: readonly RefusalSummary[],
  now: number,
): readonly RefusalSummary[] {
  return [...added.toReversed(), ...before]
    .filter(({ at }) => at >= now - RECENT_MS)
    .slice(0, MOST_RECENT);
}
