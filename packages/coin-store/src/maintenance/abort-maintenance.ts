import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Puts an operation's coins back as they were. Only for one that was never signed, or is certainly refused. */
export async function abortMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  operation: { operationId: string },
): Promise<boolean> {
  return (await runOnPool(redis, 'abort-maintenance', sponsor, operation.operationId)) === 1;
}
