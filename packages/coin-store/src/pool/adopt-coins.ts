import type { GasCoin } from '@forecourt/ledger';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { writeCoinArguments } from './coin-record.js';
import type { PlacementRules } from './placement.js';
import { readPoolTotals } from './read-pool-totals.js';

const COINS_PER_CALL = 500;
/** Redis counts in signed 64 bits; a ledger's whole supply stays below. */
const LARGEST_SUM = 2n ** 63n - 1n;

/**
 * Adopts coins of the sponsor; skips those that the pool knows, or that left it recently. Returns the number of new
 * ones. Throws `RangeError` if the pool's balance and the gas it has paid would exceed 63 bits.
 */
export async function adoptCoins(
  redis: CoinStoreRedis,
  sponsor: string,
  coins: readonly GasCoin[],
  rules: PlacementRules,
): Promise<number> {
  const { balance, gasCharged } = await readPoolTotals(redis, sponsor);
  const funds = Object.values(balance).reduce((sum, part) => sum + part, gasCharged);
  if (coins.reduce((sum, coin) => sum + coin.balance, funds) > LARGEST_SUM) {
    throw new RangeError(`the balance of ${sponsor}'s pool would exceed ${LARGEST_SUM}`);
  }
  let adopted = 0;
  for (let from = 0; from < coins.length; from += COINS_PER_CALL) {
    const some = coins.slice(from, from + COINS_PER_CALL);
    adopted += Number(
      await runOnPool(redis, 'adopt-coins', sponsor, ...writeCoinArguments(some, rules)),
    );
  }
  return adopted;
}
