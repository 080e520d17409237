import type { GasCoin, ShownCoin } from './object-reference.js';

/** The present state of coins that a transaction was to be paid with. */
export interface CoinsNow {
  /** The node shows all of them; what it does not show may be anything. */
  readonly allShown: boolean;
  /** At least one is at a later version or gone: the transaction can never be paid with them any more. */
  readonly haveMoved: boolean;
  /** Digests of the transactions that have made the later versions, as far as the node says. */
  readonly movedBy: ReadonlySet<string>;
  /** Those still there, each at its latest version. */
  readonly remaining: readonly GasCoin[];
}

/** Compares coins as they were with what `Ledger.readGasCoins` shows now. */
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
