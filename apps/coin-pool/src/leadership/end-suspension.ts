import { endSuspension as endInStore, readSuspension } from '@forecourt/coin-store';
import type { AuditDependencies } from '../audit/audit-dependencies.js';
import { reconcilePool } from '../audit/reconcile-pool.js';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';

/** Ends a suspension once its time is over and the pool has been compared with the ledger. */
export async function endSuspension(
  dependencies: AuditDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, logger } = dependencies;
  if ((await readSuspension(redis, sponsor)) !== 0) return;
  await adoptNewCoins(dependencies, sponsor, true);
  const repaired = await reconcilePool(dependencies, sponsor);
  if (await endInStore(redis, sponsor)) {
    logger.info({ sponsor, repaired }, 'Coin suspension ended: pool compared with the ledger');
  }
}
