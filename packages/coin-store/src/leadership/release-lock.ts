import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Releases a lock; false when `owner` does not hold it. */
export async function releaseLock(
  redis: CoinStoreRedis,
  sponsor: string,
  name: string,
  owner: string,
): Promise<boolean> {
  return (await runOnPool(redis, 'release-lock', sponsor, name, owner)) === 1;
}
