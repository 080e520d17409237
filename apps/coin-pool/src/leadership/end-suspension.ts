import { endSuspension as endInStore, readSuspension } from '@forecourt/coin-store';
import type { AuditDependencies } from '../audit/audit-dependencies.js';
import { reconcilePool } from '../audit/reconcile-pool.js';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { sweepClaims, type SweepDependencies } from './sweep-reservations.js';

/**
 * Ends a suspension once its time is over and the pool has been compared with the ledger. Claims that nobody goes on with
 * are ended first, so that their coins are compared too: they may have paid for transactions that Redis has lost.
 */
export async function endSuspension(
  dependencies: AuditDependencies & SweepDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, logger } = dependencies;
  if ((await readSuspension(redis, sponsor)) !== 0) return;
  await adoptNewCoins(dependencies, sponsor, true);
  await sweepClaims(dependencies, sponsor);
  const repaired = await reconcilePool(dependencies, sponsor);
  if (await endInStore(redis, sponsor)) {
    logger.info({ sponsor, repaired }, 'Coin suspension ended: pool compared with the ledger');
  }
}
