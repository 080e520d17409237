import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

const EVERY_MS = 5 * 60_000;
/** Reach a little further back than a day. */
const KEPT = 300;

/**
 * Records the pool's total spending and its number of coins, from which `inspectPool` computes the spending of the last
 * hour and day. May be called at any time: at most one note is made in five minutes. Returns whether one was made.
 */
export async function noteSpending(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runOnPool(redis, 'note-spending', sponsor, EVERY_MS, KEPT)) === 1;
}
