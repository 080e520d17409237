import type { DecodedTransaction } from './decoded-transaction.js';
import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from './iota/limits.js';
import type { TransactionEffects } from './executed-transaction.js';

/** The ledger's charge for a transaction, in the smallest unit; negative if the rebate exceeds the cost. */
export function netGas({ gasUsed }: Pick<TransactionEffects, 'gasUsed'>): bigint {
  const { computationCost, storageCost, storageRebate } = gasUsed;
  return BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
}

/** Effect of a transaction on the coins that paid for it. */
export interface PaymentImpact {
  /** Price of one unit of gas, in the smallest unit. */
  readonly gasPrice: bigint;
  /** Payment coins that were merged into the first one. */
  readonly smashedCoins: number;
  /** The remainder of the first coin is too small to pay for other transactions. */
  readonly leavesDust: boolean;
}

/**
 * Cost of a transaction to its sponsor, in the smallest unit: the amount that gas limits count.
 * Never negative, and at least the sponsor's loss once its pool has as many usable coins as before.
 *
 * The ledger's net charge is lower than that. It is reduced by the storage deposits of smashed
 * coins, which the sponsor pays again when coins are split anew, and by the deposits of objects
 * that the transaction deletes, which others may have paid. Hence the deposits of smashed coins are
 * added, and the computation is the minimum. The cost of restoring the pool is added.
 */
export function sponsorCost(
  effects: Pick<TransactionEffects, 'gasUsed'>,
  impact: PaymentImpact,
): bigint {
  const computation = BigInt(effects.gasUsed.computationCost);
  const withDeposits = netGas(effects) + BigInt(impact.smashedCoins) * COIN_STORAGE_COST;
  const charge = withDeposits > computation ? withDeposits : computation;
  return charge + restorationCost(impact);
}

/**
 * Upper bound of a transaction's cost to its sponsor before it has executed: reserved while it is in flight.
 */
export function largestSponsorCost(
  { gasBudget, gasPrice, gasPayment }: DecodedTransaction,
  mayLeaveDust: boolean,
): bigint {
  const smashedCoins = Math.max(gasPayment.length - 1, 0);
  const deposits = BigInt(smashedCoins) * COIN_STORAGE_COST;
  return (
    gasBudget + deposits + restorationCost({ gasPrice, smashedCoins, leavesDust: mayLeaveDust })
  );
}

/**
 * Computation of the transactions by which the pool makes new coins for the smashed ones, and
 * consolidates dust. A split makes at least one coin, a consolidation takes at least two, and each
 * costs the least computation: more coins at a time cost less each.
 */
function restorationCost({ gasPrice, smashedCoins, leavesDust }: PaymentImpact): bigint {
  const split = MIN_COMPUTATION_UNITS * gasPrice;
  const consolidation = split / 2n;
  return BigInt(smashedCoins) * split + (leavesDust ? split + consolidation : 0n);
}
