import type { GasCoin } from './object-reference.js';
import type { TransactionEffects } from './executed-transaction.js';
import { netGas } from './sponsor-cost.js';

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
