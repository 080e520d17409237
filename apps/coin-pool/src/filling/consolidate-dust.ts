import { MAX_COINS_PER_RESERVATION, readPoolTotals } from '@forecourt/coin-store';
import type { MaintenanceDependencies } from './maintenance-dependencies.js';
import { countServing } from './count-serving.js';
import { MaintenanceFailed } from './maintenance-failed.js';
import { runMaintenance } from './run-maintenance.js';
import { splitBudget } from './split-costs.js';

/**
 * Consolidates dust into one coin once there is enough of it; sooner when the pool is low and the dust makes a coin large
 * enough to sponsor with. Throws `MaintenanceFailed`.
 */
export async function consolidateDust(
  dependencies: MaintenanceDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, settings, ledger, logger } = dependencies;
  const totals = await readPoolTotals(redis, sponsor);
  const dustCoins = Number(totals.coins.dust);
  const isLow = countServing(totals) < settings.minCoins;
  const helps = dustCoins > 1 && totals.balance.dust >= settings.targetBalance;
  if (dustCoins < settings.consolidateAt && !(isLow && helps)) return;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const gasBudget = splitBudget(0, gasPrice);
  const request = { kind: 'fold', from: 'dust', maxCoins: MAX_COINS_PER_RESERVATION } as const;
  const outcome = await runMaintenance(dependencies, sponsor, request, async (coins) => {
    const sum = coins.reduce((total, coin) => total + coin.balance, 0n);
    if (coins.length < 2 || sum < gasBudget) return null;
    const consolidation = { sponsor, coins, gasPrice, gasBudget };
    return { ...(await ledger.buildConsolidation(consolidation)), amount: 0n };
  });
  if (outcome === 'failed') throw new MaintenanceFailed('Dust could not be consolidated');
  if (outcome === 'made') logger.info({ sponsor, dust: dustCoins }, 'Dust consolidated');
}
