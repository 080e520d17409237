import { COIN_STORAGE_COST, MAX_COINS_PER_SPLIT, MIN_COMPUTATION_UNITS } from '@forecourt/ledger';

/** Splits of hundreds of coins cost more units than the least; what is not used is not charged. */
const COMPUTATION_HEADROOM = 20n;

/** The budget of a transaction that makes `count` coins and keeps one. */
export function maintenanceBudget(count: number, gasPrice: bigint): bigint {
  const computation = MIN_COMPUTATION_UNITS * gasPrice * COMPUTATION_HEADROOM;
  return computation + COIN_STORAGE_COST * BigInt(count + 1);
}

/** How many coins of `amount` a balance makes after its gas, at most `most` and what one transaction allows. */
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
