import type { GasCoin, PaymentImpact } from '@forecourt/ledger';
import { classOf } from './coin-classes.js';

/** The place of an unused coin, by its balance. */
export interface PlacementRules {
  /** Smaller coins are dust: they wait to be consolidated. */
  readonly dustBelow: bigint;
  /** Coins of this size and above are kept whole until they are split. */
  readonly treasuryFrom: bigint;
}

/** The rules for a pool with new coins of `targetBalance`. */
export function placementRules(targetBalance: bigint): PlacementRules {
  return { dustBelow: targetBalance / 10n, treasuryFrom: targetBalance * 3n };
}

/** Whether a coin is too small to sponsor with. */
export function isDust(balance: bigint, rules: PlacementRules): boolean {
  return balance < rules.dustBelow || balance === 0n;
}

/** `d` (dust), `t` (treasury), or the class of balance of an available coin. */
export function placeOf(balance: bigint, rules: PlacementRules): string {
  if (isDust(balance, rules)) return 'd';
  if (balance >= rules.treasuryFrom) return 't';
  return String(classOf(balance));
}

/** Whether the remainder of coins after a used-up budget may be too small to sponsor with. */
export function mayLeaveDust(
  coins: readonly { readonly balance: bigint }[],
  gasBudget: number,
  rules: PlacementRules,
): boolean {
  const balance = coins.reduce((sum, coin) => sum + coin.balance, 0n);
  return isDust(balance - BigInt(gasBudget), rules);
}

/** Effect of a transaction on the pool's coins: `paid` are the payment coins, `left` is the remaining one. */
export function paymentImpact(
  paid: readonly GasCoin[],
  left: GasCoin | null,
  gasPrice: bigint,
  rules: PlacementRules,
): PaymentImpact {
  return {
    gasPrice,
    smashedCoins: paid.length - 1,
    leavesDust: left !== null && isDust(left.balance, rules),
  };
}
