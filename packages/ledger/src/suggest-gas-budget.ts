import { MIN_COMPUTATION_UNITS } from './iota/limits.js';
import type { TransactionEffects } from './executed-transaction.js';

/** Percent by which shared objects may raise the cost of a transaction before it executes. */
const MARGIN = 20n;

/**
 * A gas budget for a transaction with this cost in a dry run, in the smallest unit. Rebates are
 * left out: the ledger requires the whole storage cost before it pays a rebate.
 */
export function suggestGasBudget(
  { gasUsed }: Pick<TransactionEffects, 'gasUsed'>,
  gasPrice: bigint,
): bigint {
  const cost = BigInt(gasUsed.computationCost) + BigInt(gasUsed.storageCost);
  return cost + (cost * MARGIN) / 100n + MIN_COMPUTATION_UNITS * gasPrice;
}
