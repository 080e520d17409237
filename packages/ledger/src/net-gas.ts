import type { TransactionEffects } from './transaction-effects.js';

/**
 * The ledger's charge for a transaction, in the smallest unit; negative if the rebate exceeds the
 * cost.
 */
export function netGas({ gasUsed }: Pick<TransactionEffects, 'gasUsed'>): bigint {
  const { computationCost, storageCost, storageRebate } = gasUsed;
  return BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
}
