import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Lets the pool's coins be handed out again. False when their time is not over. */
export async function endHold(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runOnPool(redis, 'end-hold', sponsor)) === 1;
}
