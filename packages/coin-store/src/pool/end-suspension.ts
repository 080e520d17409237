import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Ends the suspension of a pool. False when it must last longer. */
export async function endSuspension(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runOnPool(redis, 'end-suspension', sponsor)) === 1;
}
