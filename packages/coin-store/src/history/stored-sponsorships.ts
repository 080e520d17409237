import {
  escapeText,
  type ListOrder,
  type StoredSponsorship,
  type Viewer,
} from '@forecourt/contracts';
import { findDigest } from '../reservations/reservation-lookups.js';
import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';

/** Reservations of a pool that are open, or have ended and are not in the database yet. */
export interface ListedReservations {
  /** Every open one, in no order. */
  readonly open: readonly number[];
  /** By id, in the order that was asked for. */
  readonly ended: readonly number[];
}

/**
 * Lists the reservations that come after the id `before` in an order: all open ones, and at most `limit` of
 * the ended ones.
 */
export async function listReservations(
  redis: CoinStoreRedis,
  sponsor: string,
  {
    before,
    limit,
    order = 'newest',
  }: { readonly before: number; readonly limit: number; readonly order?: ListOrder },
): Promise<ListedReservations> {
  const reply = await runScript(redis, 'list-sponsorships', sponsor, before, limit, order);
  const [states, ended] = reply as [string[][], string[]];
  const open = states.flat().map((member) => Number(member.split('|', 1)[0]));
  const isOnPage = (id: number) => (order === 'oldest' ? id > before : id < before);
  return { open: open.filter(isOnPage), ended: ended.map(Number) };
}

/**
 * The stored facts about reservations, in their order; null for one that is neither open nor waiting for the
 * database, and for one that the viewer may not see, of which nothing else is read. Call it for a few dozen
 * at a time.
 */
export async function readSponsorships(
  redis: CoinStoreRedis,
  sponsor: string,
  reservationIds: readonly number[],
  { token, user }: Viewer,
): Promise<(StoredSponsorship | null)[]> {
  if (reservationIds.length === 0) return [];
  const viewer = escapeText([token, user].filter(Boolean).join(':'));
  const reply = await runScript(redis, 'read-sponsorships', sponsor, viewer, ...reservationIds);
  return (reply as string[][]).map((pairs) => (pairs.length > 0 ? readPairs(pairs) : null));
}

function readPairs(pairs: readonly string[]): StoredSponsorship {
  const fields: Record<string, string> = {};
  for (let i = 0; i < pairs.length; i += 2) fields[pairs[i]!] = pairs[i + 1]!;
  return fields as unknown as StoredSponsorship;
}

/**
 * The reservation that a transaction was last bound to, if it is open or was ended lately; null without a
 * record.
 */
export async function findReservationOf(
  redis: CoinStoreRedis,
  sponsor: string,
  digest: string,
): Promise<number | null> {
  // First: the same transaction may have been bound to an earlier reservation of the same coins.
  const claimed = await findDigest(redis, sponsor, digest);
  if (claimed !== null) return claimed;
  const ended = await redis.hget(poolKey(sponsor, 'history-digests'), escapeText(digest));
  return ended === null ? null : Number(ended);
}
