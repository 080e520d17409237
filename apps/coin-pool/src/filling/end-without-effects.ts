import { finishMaintenance } from '@forecourt/coin-store';
import { compareCoins, type DecodedTransaction } from '@forecourt/ledger';
import type { ResolveDependencies } from './maintenance-dependencies.js';
import type { BoundOperation } from './run-maintenance.js';

/**
 * Ends an operation that can never land: the sponsor's key used its coins elsewhere, or its last epoch has ended.
 * The coins return as the ledger shows them; those that are gone leave the pool. False while it may still land.
 */
export async function endWithoutEffects(
  { redis, ledger, rules, logger, metrics }: ResolveDependencies,
  sponsor: string,
  { operationId, digest, coins }: BoundOperation,
  transaction: DecodedTransaction,
): Promise<boolean> {
  const current = await ledger.readGasCoins(sponsor, coins);
  const { allShown, haveMoved, remaining } = compareCoins(coins, current);
  if (!allShown) return false;
  if (haveMoved) {
    // Read after the coins: a node that shows them moved by this transaction has executed it.
    if (await ledger.findTransaction(digest)) return false;
  } else if (!(await ledger.hasExpired(transaction))) {
    return false;
  }
  const ended = { operationId, returned: remaining, created: [], rules, gasCharged: 0n };
  if (!(await finishMaintenance(redis, sponsor, ended))) return false;
  if (haveMoved) {
    logger.error(
      { sponsor, operationId, digest },
      'Pool coins were used outside the pool; maintenance ended',
    );
    metrics.repairs.add({ cause: 'coins_used_elsewhere' });
  } else {
    logger.warn({ sponsor, operationId, digest }, 'Maintenance expired; its coins return');
  }
  return true;
}
