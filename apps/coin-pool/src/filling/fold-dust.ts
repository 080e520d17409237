import { MAX_COINS_PER_RESERVATION, readPoolTotals } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';
import { runMaintenance } from './run-maintenance.js';
import { splitBudget } from './split-costs.js';

/** Folds dust into one coin once there is enough of it to pay for that. */
export async function foldDust(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, settings, ledger, logger } = parts;
  const { coins } = await readPoolTotals(redis, sponsor);
  if (Number(coins.dust) < settings.foldAt) return;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const request = { kind: 'fold', from: 'dust', maxCoins: MAX_COINS_PER_RESERVATION } as const;
  const folded = await runMaintenance(parts, sponsor, request, async (dust) => {
    const sum = dust.reduce((total, coin) => total + coin.balance, 0n);
    const gasBudget = splitBudget(0, gasPrice);
    if (sum < gasBudget) return null;
    const fold = { sponsor, coins: dust, gasPrice, gasBudget };
    return { ...(await ledger.buildFold(fold)), amount: 0n };
  });
  if (folded) logger.info({ sponsor, dust: Number(coins.dust) }, 'dust folded');
}
