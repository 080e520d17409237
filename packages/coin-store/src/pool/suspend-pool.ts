import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Suspends a pool with missing keys. False when it is suspended already. */
export async function suspendPool(
  redis: CoinStoreRedis,
  sponsor: string,
  holdMs: number,
): Promise<boolean> {
  return (await runOnPool(redis, 'suspend-pool', sponsor, holdMs)) === 1;
}
