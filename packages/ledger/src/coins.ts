import type { GasCoin, ShownCoin } from './object-reference.js';
import { netGas } from './gas-costs.js';
import type { TransactionEffects } from './transaction-effects.js';

/** The present state of the coins that were meant to pay for a transaction. */
export interface CoinsNow {
  /** The node shows every coin. A coin that it does not show may be in any state. */
  readonly allShown: boolean;
  /** At least one is at a later version or gone, so they can never pay for the transaction. */
  readonly haveMoved: boolean;
  /** Digests of the transactions that made the later versions, where the node reports them. */
  readonly movedBy: ReadonlySet<string>;
  /** Those still there, each at its latest version. */
  readonly remaining: readonly GasCoin[];
}

/** Compares coins at their recorded versions with the current result of `Ledger.readGasCoins`. */
export function compareCoins(
  coins: readonly GasCoin[],
  current: ReadonlyMap<string, ShownCoin | 'gone'>,
): CoinsNow {
  const pairs = coins.map((coin) => ({ coin, now: current.get(coin.objectId) }));
  const movedBy = pairs.flatMap(({ coin, now }) => {
    if (now === undefined || now === 'gone' || now.version <= coin.version) return [];
    return now.changedBy ?? [];
  });
  return {
    allShown: pairs.every(({ now }) => now !== undefined),
    haveMoved: pairs.some(
      ({ coin, now }) => now === 'gone' || (now !== undefined && now.version > coin.version),
    ),
    movedBy: new Set(movedBy),
    remaining: pairs.flatMap(({ coin, now }) => {
      if (now === undefined || now === 'gone') return [];
      return now.version > coin.version ? [now] : [coin];
    }),
  };
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
