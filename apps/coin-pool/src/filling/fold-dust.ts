import { MAX_COINS_PER_RESERVATION, readPoolTotals } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';
import { countServing } from './count-serving.js';
import { MaintenanceFailed } from './maintenance-failed.js';
import { runMaintenance } from './run-maintenance.js';
import { splitBudget } from './split-costs.js';

/**
 * Folds dust into one coin once there is enough of it to pay for that; sooner when the pool is low and the dust makes a
 * coin that serves. Throws `MaintenanceFailed`.
 */
export async function foldDust(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, settings, ledger, logger } = parts;
  const totals = await readPoolTotals(redis, sponsor);
  const dustCoins = Number(totals.coins.dust);
  const isLow = countServing(totals) < settings.minCoins;
  const helps = dustCoins > 1 && totals.balance.dust >= settings.targetBalance;
  if (dustCoins < settings.foldAt && !(isLow && helps)) return;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const gasBudget = splitBudget(0, gasPrice);
  const request = { kind: 'fold', from: 'dust', maxCoins: MAX_COINS_PER_RESERVATION } as const;
  const outcome = await runMaintenance(parts, sponsor, request, async (coins) => {
    const sum = coins.reduce((total, coin) => total + coin.balance, 0n);
    if (coins.length < 2 || sum < gasBudget) return null;
    const fold = { sponsor, coins, gasPrice, gasBudget };
    return { ...(await ledger.buildConsolidation(fold)), amount: 0n };
  });
  if (outcome === 'failed') throw new MaintenanceFailed('dust could not be folded');
  if (outcome === 'made') logger.info({ sponsor, dust: dustCoins }, 'dust folded');
}
