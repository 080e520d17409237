import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Suspends a pool in which keys are missing. False when it is suspended already. */
export async function suspendPool(
  redis: CoinStoreRedis,
  sponsor: string,
  holdMs: number,
): Promise<boolean> {
  return (await runOnPool(redis, 'suspend-pool', sponsor, holdMs)) === 1;
}
