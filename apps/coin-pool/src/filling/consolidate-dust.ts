import { MAX_COINS_PER_RESERVATION, type PoolTotals, readPoolTotals } from '@forecourt/coin-store';
import { maintenanceBudget } from '@forecourt/ledger';
import type { MaintenanceDependencies, MaintenanceSettings } from './maintenance-dependencies.js';
import { countServing } from './count-serving.js';
import { MaintenanceFailed } from './maintenance-failed.js';
import { runMaintenance } from './run-maintenance.js';

/**
 * Whether there is enough dust. Less is enough when the pool is low and the dust makes a coin large enough to
 * sponsor with.
 */
export function isDustEnough(
  totals: PoolTotals,
  settings: Pick<MaintenanceSettings, 'consolidateAt' | 'minCoins' | 'targetBalance'>,
): boolean {
  const { coins, balance } = totals;
  const isLow = countServing(totals) < settings.minCoins;
  const helps = coins.dust > 1n && balance.dust >= settings.targetBalance;
  return coins.dust >= settings.consolidateAt || (isLow && helps);
}

/** Consolidates dust into one coin once there is enough of it. Throws `MaintenanceFailed`. */
export async function consolidateDust(
  dependencies: MaintenanceDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, settings, ledger, logger } = dependencies;
  const totals = await readPoolTotals(redis, sponsor);
  if (!isDustEnough(totals, settings)) return;
  const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await ledger.status();
  const gasBudget = maintenanceBudget(0, gasPrice);
  const request = { kind: 'fold', from: 'dust', maxCoins: MAX_COINS_PER_RESERVATION } as const;
  const outcome = await runMaintenance(dependencies, sponsor, request, async (coins) => {
    const sum = coins.reduce((total, coin) => total + coin.balance, 0n);
    if (coins.length < 2 || sum < gasBudget) return null;
    const consolidation = { sponsor, coins, gasPrice, gasBudget, expirationEpoch };
    return { ...(await ledger.buildConsolidation(consolidation)), amount: 0n };
  });
  if (outcome === 'failed') throw new MaintenanceFailed('Dust could not be consolidated');
  if (outcome === 'made')
    logger.info({ sponsor, dust: Number(totals.coins.dust) }, 'Dust consolidated');
}
