import { finishMaintenance } from '@forecourt/coin-store';
import { compareCoins } from '@forecourt/ledger';
import type { ResolveDependencies } from './maintenance-dependencies.js';
import type { BoundOperation } from './run-maintenance.js';

/**
 * Ends an operation that validators refuse because the sponsor's key used its coins elsewhere: at a later version, or
 * gone, they can never pay for it any more. They return as the ledger shows them; those that are gone leave the pool.
 * False when no coin has moved: then validators hold a lock, and the operation stays.
 */
export async function dropMovedCoins(
  { redis, ledger, rules, logger, metrics }: ResolveDependencies,
  sponsor: string,
  { operationId, digest, coins }: BoundOperation,
): Promise<boolean> {
  const current = await ledger.readGasCoins(sponsor, coins);
  const { allShown, haveMoved, remaining } = compareCoins(coins, current);
  if (!allShown || !haveMoved) return false;
  // Read after the coins: a node that shows them moved by this very transaction has it by then.
  if (await ledger.findTransaction(digest)) return false;
  logger.error(
    { sponsor, operationId, digest },
    'Pool coins were used outside the pool; maintenance ended',
  );
  const ended = { operationId, returned: remaining, created: [], rules, gasCharged: 0n };
  const isFirst = await finishMaintenance(redis, sponsor, ended);
  if (isFirst) metrics.repairs.add({ cause: 'coins_used_elsewhere' });
  return isFirst;
}
