import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Returns an operation's coins to their previous places. Only for one that was never signed, or whose only submission
 * is certainly refused. `digest`: the caller's record of its bound transaction; null or absent: none. False when it is
 * over, bound to another one, or bound more than once: an earlier submission may land.
 */
export async function abortMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  { operationId, digest }: { operationId: string; digest?: string | null },
): Promise<boolean> {
  const args = [operationId, digest ?? ''];
  return (await runOnPool(redis, 'abort-maintenance', sponsor, ...args)) === 1;
}
