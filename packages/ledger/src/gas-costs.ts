import type { DecodedTransaction } from './decoded-transaction.js';
import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from './iota/limits.js';
import type { GasCoin } from './object-reference.js';
import type { TransactionEffects } from './executed-transaction.js';

/**
 * The ledger's charge for a transaction, in the smallest unit; negative if the rebate exceeds the
 * cost.
 */
export function netGas({ gasUsed }: Pick<TransactionEffects, 'gasUsed'>): bigint {
  const { computationCost, storageCost, storageRebate } = gasUsed;
  return BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
}

/** The state of the payment coins after a transaction. */
export interface PaidCoins {
  /** The gas coin at its new version; null when it is no longer the sponsor's. */
  readonly gasCoin: GasCoin | null;
  /** Net gas in the smallest unit; negative when the rebate exceeded the cost. */
  readonly gasCharged: bigint;
}

/**
 * All payment coins are merged into the first; its new balance is their sum less the net gas. This
 * needs no node: no other transaction can use the gas coin, and the transaction itself may not use
 * it as an argument. `created` outputs of the sponsor's own splits are taken out of the gas coin as
 * well: `spent` states the amount.
 */
export function settleFromEffects(
  effects: TransactionEffects,
  payment: readonly GasCoin[],
  sponsor: string,
  spent = 0n,
): PaidCoins {
  const gasCharged = netGas(effects);
  const before = payment.reduce((sum, coin) => sum + coin.balance, 0n);
  const { owner, reference } = effects.gasObject;
  const owned =
    typeof owner === 'object' &&
    owner !== null &&
    (owner as { AddressOwner?: unknown }).AddressOwner === sponsor;
  const { objectId, version, digest } = reference;
  return {
    gasCharged,
    gasCoin: owned
      ? { objectId, version: Number(version), digest, balance: before - gasCharged - spent }
      : null,
  };
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
 * Upper bound of a transaction's cost to its sponsor before it has executed: reserved while it is
 * in flight.
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

/** A split of hundreds of coins costs more units than the least; unused units are not charged. */
const COMPUTATION_HEADROOM = 20n;

/**
 * The budget, in the smallest unit, of a sponsor's own transaction that makes `count` coins and
 * keeps one.
 */
export function maintenanceBudget(count: number, gasPrice: bigint): bigint {
  const computation = MIN_COMPUTATION_UNITS * gasPrice * COMPUTATION_HEADROOM;
  return computation + COIN_STORAGE_COST * BigInt(count + 1);
}

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

const DECIMALS = 9;

/** The currency of gas, of which the smallest unit has nine decimal places. */
export const CURRENCY = 'IOTA';

/** An amount in the ledger's smallest unit for people, in IOTA, exactly: `0.0026492 IOTA`. */
export function formatAmount(amount: bigint | number | string): string {
  const value = BigInt(amount);
  const digits = String(value < 0n ? -value : value).padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS);
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`} ${CURRENCY}`;
}
