import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** For how long the pool's coins are held back yet, in ms; null when they are not. */
export async function readSuspension(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<number | null> {
  const left = Number(await runOnPool(redis, 'read-suspension', sponsor));
  return left < 0 ? null : left;
}
