import { COIN_STORAGE_COST, MAX_COINS_PER_SPLIT, maintenanceBudget } from '@forecourt/ledger';

/**
 * Number of coins of `amount` that a balance makes after its gas, at most `most` and the limit of one transaction.
 */
export function coinsThatFit(
  balance: bigint,
  amount: bigint,
  gasPrice: bigint,
  most: number,
): number {
  const afterFixed = balance - maintenanceBudget(0, gasPrice);
  if (afterFixed <= 0n) return 0;
  const fit = afterFixed / (amount + COIN_STORAGE_COST);
  const limit = BigInt(Math.min(most, MAX_COINS_PER_SPLIT));
  return Number(fit < limit ? fit : limit);
}
