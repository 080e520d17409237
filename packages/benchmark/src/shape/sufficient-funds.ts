import { TARGET_BALANCE } from './demands-of.js';
import type { Simulation } from './simulation.js';

/** The average upper bound of one demand's cost, with a margin. */
const FUNDS_PER_TRANSACTION = 8_000_000n;
const TREASURY_COINS = 20;

/** Balances of the sponsor's first coins that suffice for a whole simulation. */
export function sufficientFunds({ transactions, targetCoins }: Simulation): bigint[] {
  const total =
    FUNDS_PER_TRANSACTION * BigInt(transactions) + TARGET_BALANCE * BigInt(2 * targetCoins);
  return Array<bigint>(TREASURY_COINS).fill(total / BigInt(TREASURY_COINS));
}
