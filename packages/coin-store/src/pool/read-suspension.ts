import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** How long the suspension of a pool still lasts, in ms: 0 when it may be ended, null when the pool is not suspended. */
export async function readSuspension(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<number | null> {
  const left = Number(await runOnPool(redis, 'read-suspension', sponsor));
  return left < 0 ? null : left;
}
