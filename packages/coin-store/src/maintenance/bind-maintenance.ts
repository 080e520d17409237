import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Binds an operation to its transaction, before that is signed. False: over, or bound to another; do not sign. */
export async function bindMaintenance(
  redis: CoinStoreRedis,
  sponsor: string,
  binding: { operationId: string; digest: string; txBytes: string; leaseMs: number },
): Promise<boolean> {
  const { operationId, digest, txBytes, leaseMs } = binding;
  return (
    (await runOnPool(redis, 'bind-maintenance', sponsor, operationId, digest, txBytes, leaseMs)) ===
    1
  );
}
