import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Lets the pool's coins be handed out again. False when their time is not over. */
export async function endSuspension(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runOnPool(redis, 'end-suspension', sponsor)) === 1;
}
