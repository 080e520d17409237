import { adoptCoins, coinStates, readPoolTotals } from '@forecourt/coin-store';
import type { MaintenanceDependencies } from './maintenance-dependencies.js';

export type AdoptCoinsDependencies = Pick<
  MaintenanceDependencies,
  'redis' | 'ledger' | 'rules' | 'logger'
>;

/**
 * Adds to the pool the coins that the sponsor owns and the pool lacks: at first all, later new funds. Counts the
 * coins first; reads all of them only when the ledger has more than the pool, or when `thorough`, since as many may
 * have left as have arrived.
 */
export async function adoptNewCoins(
  { redis, ledger, rules, logger }: AdoptCoinsDependencies,
  sponsor: string,
  thorough = false,
): Promise<void> {
  const { coins } = await readPoolTotals(redis, sponsor);
  const pooled = coinStates.reduce((sum, state) => sum + coins[state], 0n);
  if (!thorough && (await ledger.countGasCoins(sponsor)) <= pooled) return;
  let adopted = 0;
  for await (const page of ledger.listGasCoins(sponsor)) {
    adopted += await adoptCoins(redis, sponsor, page, rules);
  }
  if (adopted > 0) logger.info({ sponsor, adopted }, 'New coins adopted from the ledger');
}
