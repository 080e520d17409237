import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Binds an operation to its transaction, before that is signed; again to the same one, renews its lease and marks it as
 * resumed. Returns the pool's watermark; null: the operation is over or bound to another, do not sign.
 */
export async function bindMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  binding: {
    operationId: string;
    digest: string;
    /** Base64. */
    txBytes: string;
    /** Balance of each coin that the transaction makes; 0 when it makes none. */
    amount: bigint;
    leaseMs: number;
  },
): Promise<number | null> {
  const { operationId, digest, txBytes, amount, leaseMs } = binding;
  const args = [operationId, digest, txBytes, leaseMs, String(amount)];
  return Number(await runOnPool(redis, 'bind-maintenance', sponsor, ...args)) || null;
}
