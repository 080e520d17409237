import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Takes a named lock of a pool, or renews it for its owner. Returns the fencing number, or null when it is taken. */
export async function acquireLock(
  redis: CoinStoreRedis,
  sponsor: string,
  name: string,
  owner: string,
  ttlMs: number,
): Promise<number | null> {
  return (await runOnPool(redis, 'acquire-lock', sponsor, name, owner, ttlMs)) as number | null;
}
