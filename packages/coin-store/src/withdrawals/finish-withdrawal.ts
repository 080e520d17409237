import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Records that the ledger has executed an operation of a withdrawal: its coins have left. False when it was
 * recorded before.
 */
export async function finishWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  result: { operationId: string; gasCharged: bigint; digest: string },
): Promise<boolean> {
  const { operationId, gasCharged, digest } = result;
  const args = [operationId, String(gasCharged), digest];
  return (await runOnPool(redis, 'finish-withdrawal', sponsor, ...args)) === 1;
}
