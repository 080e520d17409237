import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Acquires a named lock of a pool, or renews it for its owner. Returns its fence, or null when another owner has it. */
export async function acquireLock(
  redis: CoinStoreRedis,
  sponsor: string,
  name: string,
  owner: string,
  ttlMs: number,
): Promise<number | null> {
  return (await runOnPool(redis, 'acquire-lock', sponsor, name, owner, ttlMs)) as number | null;
}
