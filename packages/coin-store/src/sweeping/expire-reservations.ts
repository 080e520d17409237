import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Longer than the lag of any node's listing. */
const REMEMBER_GONE_MS = 60 * 60 * 1000;

/** reserved → available for reservations past their deadline. Returns their number, at most `limit`. */
export async function expireReservations(
  redis: CoinStoreRedis,
  sponsor: string,
  sweep: { limit: number; retentionMs: number },
): Promise<number> {
  const { limit, retentionMs } = sweep;
  return Number(
    await runOnPool(redis, 'expire-reservations', sponsor, limit, retentionMs, REMEMBER_GONE_MS),
  );
}
