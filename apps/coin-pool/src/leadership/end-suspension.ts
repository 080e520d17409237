import {
  type CoinStoreRedis,
  endSuspension as endInStore,
  readPoolTotals,
  readSuspension,
} from '@forecourt/coin-store';
import { type RebuildDependencies, rebuildSuspended } from '../audit/rebuild-pool.js';
import { reconcilePool } from '../audit/reconcile-pool.js';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { MaintenanceFailed } from '../filling/maintenance-failed.js';
import { sweepClaims, type SweepDependencies } from './sweep-reservations.js';

type EndSuspensionDependencies = RebuildDependencies &
  SweepDependencies & { readonly settings: Pick<CoinPoolConfig, 'holdMs'> };

/**
 * Ends a suspension once its time is over and the pool has been compared with the ledger. First ends orphaned
 * claims, and gives open work another `holdMs` to be settled: its own transaction determines its coins, and Redis
 * may have lost transactions that used them after that. First rebuilds a pool with missing keys. Throws
 * `MaintenanceFailed` while the ledger does not show all of its coins.
 */
export async function endSuspension(
  dependencies: EndSuspensionDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, logger, settings } = dependencies;
  const leftMs = await readSuspension(redis, sponsor);
  if (leftMs === null || leftMs > 0) return;
  await sweepClaims(dependencies, sponsor);
  if (-leftMs < settings.holdMs && (await hasClaims(redis, sponsor))) return;
  if (!(await rebuildSuspended(dependencies, sponsor))) {
    throw new MaintenanceFailed('The ledger does not show every coin of the pool yet');
  }
  await adoptNewCoins(dependencies, sponsor, true);
  const repaired = await reconcilePool(dependencies, sponsor);
  if (await endInStore(redis, sponsor)) {
    logger.info({ sponsor, repaired }, 'Coin suspension ended: pool compared with the ledger');
  }
}

async function hasClaims(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  const { coins } = await readPoolTotals(redis, sponsor);
  return coins.claimed + coins.executing > 0n;
}
