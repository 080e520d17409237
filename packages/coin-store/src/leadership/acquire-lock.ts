import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Takes a named lock of a pool, or renews it for its owner; false when another owner has it. Two owners may believe that
 * they have it for a moment, so what it protects must tolerate running twice.
 */
export async function acquireLock(
  redis: CoinStoreRedis,
  sponsor: string,
  name: string,
  owner: string,
  ttlMs: number,
): Promise<boolean> {
  return (await runOnPool(redis, 'acquire-lock', sponsor, name, owner, ttlMs)) === 1;
}
