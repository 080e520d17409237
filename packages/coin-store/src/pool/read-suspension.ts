import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Remaining duration of a pool's suspension, in ms; 0 or negative once it may be ended; null when the pool is not
 * suspended.
 */
export async function readSuspension(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<number | null> {
  return (await runOnPool(redis, 'read-suspension', sponsor)) as number | null;
}
