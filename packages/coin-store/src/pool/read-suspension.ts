import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * How long the suspension of a pool still lasts, in ms: not above 0 when it may be ended, so long since; null when the pool is
 * not suspended.
 */
export async function readSuspension(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<number | null> {
  return (await runOnPool(redis, 'read-suspension', sponsor)) as number | null;
}
