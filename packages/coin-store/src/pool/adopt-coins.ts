import type { GasCoin } from '@forecourt/ledger';
import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';
import { writeCoins } from './stored-coins.js';
import type { PlacementRules } from './placement-rules.js';
import { readPoolTotals } from './pool-totals.js';

const COINS_PER_CALL = 500;

/** Redis counts in signed 64 bits; a ledger's whole supply stays below. */
const LARGEST_SUM = 2n ** 63n - 1n;

/** Those that the pool does not have. */
export async function listUnknownCoins(
  redis: CoinStoreRedis,
  sponsor: string,
  coins: readonly GasCoin[],
): Promise<GasCoin[]> {
  if (coins.length === 0) return [];
  const ids = coins.map(({ objectId }) => objectId);
  const known = await redis.smismember(poolKey(sponsor, 'coins'), ids);
  return coins.filter((_, index) => known[index] === 0);
}

/**
 * Adopts coins of the sponsor; skips those that the pool knows, or that left it recently. Returns the number
 * of new ones. Throws `RangeError` if the pool's balance and the gas it has paid would exceed 63 bits.
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
    const args = writeCoins(some, rules).flat();
    adopted += Number(await runScript(redis, 'adopt-coins', sponsor, ...args));
  }
  return adopted;
}
