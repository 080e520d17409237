import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

const PAGE = 100;
/** At most this many pages are searched: ten thousand transactions of each state. */
const MAX_PAGES = 100;

/**
 * The reservation that a transaction was claimed for. Known for ten minutes beyond the reservation's deadline, and
 * as long as the transaction is in flight; null without a record of the digest.
 */
export async function findDigest(
  redis: CoinStoreRedis,
  sponsor: string,
  digest: string,
): Promise<number | null> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked = [escapeText(digest), page * PAGE, PAGE] as const;
    const reply = await runOnPool(redis, 'find-digest', sponsor, ...asked);
    const [reservationId, hasMore] = reply as [string, number];
    if (reservationId) return Number(reservationId);
    if (hasMore === 0) return null;
  }
  return null;
}
