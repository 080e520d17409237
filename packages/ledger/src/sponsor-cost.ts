import type { DecodedTransaction } from './decoded-transaction.js';
import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from './iota/limits.js';
import { netGas } from './net-gas.js';
import type { TransactionEffects } from './transaction-effects.js';

/** What a transaction did to the coins that paid for it. */
export interface PaymentImpact {
  /** Units of gas cost this much each. */
  readonly gasPrice: bigint;
  /** Payment coins that were merged into the first one. */
  readonly smashedCoins: number;
  /** What is left of the first coin is too small to pay for other transactions. */
  readonly leavesDust: boolean;
}

/**
 * What a transaction costs its sponsor, in the smallest unit: what limits on gas count. Never negative, and at least what
 * the sponsor has lost once its pool has as many usable coins as before.
 *
 * The ledger's net charge tells less than that. It is lowered by the storage deposits of smashed coins, which the sponsor
 * pays again when coins are split anew; and by the deposits of objects that the transaction deletes, which may have been
 * paid for by others. Hence the deposits of smashed coins are added, and the computation is the least that is counted.
 * On top comes what it takes to restore the pool.
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

/** The most a transaction can cost its sponsor, before it has executed: held while it is in flight. */
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
 * Computation of the transactions by which the pool makes new coins for those that were smashed, and consolidates dust. A split
 * makes at least one coin, a consolidation takes at least two, and each costs the least computation there is: more coins at a time
 * cost less each.
 */
function restorationCost({ gasPrice, smashedCoins, leavesDust }: PaymentImpact): bigint {
  const split = MIN_COMPUTATION_UNITS * gasPrice;
  const consolidation = split / 2n;
  return BigInt(smashedCoins) * split + (leavesDust ? split + consolidation : 0n);
}
