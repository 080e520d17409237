import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Puts an operation's coins back as they were. Only for one that was never signed, or is certainly refused. `digest`: the
 * transaction that it is bound to, as the caller knows; null or absent: none. False when it is over or bound to another one.
 */
export async function abortMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  { operationId, digest }: { operationId: string; digest?: string | null },
): Promise<boolean> {
  const args = [operationId, digest ?? ''];
  return (await runOnPool(redis, 'abort-maintenance', sponsor, ...args)) === 1;
}
