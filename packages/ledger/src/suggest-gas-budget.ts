import { MIN_COMPUTATION_UNITS } from './iota/limits.js';
import type { TransactionEffects } from './transaction-effects.js';

/** Percent by which shared objects may make a transaction more expensive before it executes. */
const MARGIN = 20n;

/**
 * A gas budget for a transaction that cost this much in a dry run, in the smallest unit. Rebates are left out: the ledger asks
 * for the whole storage cost before it gives anything back.
 */
export function suggestGasBudget(
  { gasUsed }: Pick<TransactionEffects, 'gasUsed'>,
  gasPrice: bigint,
): bigint {
  const cost = BigInt(gasUsed.computationCost) + BigInt(gasUsed.storageCost);
  return cost + (cost * MARGIN) / 100n + MIN_COMPUTATION_UNITS * gasPrice;
}
