import type { GasCoin } from './object-reference.js';

/** The present state of coins that a transaction was to be paid with. */
export interface CoinsNow {
  /** The node shows all of them; what it does not show may be anything. */
  readonly allShown: boolean;
  /** At least one is at a later version or gone: the transaction can never be paid with them any more. */
  readonly haveMoved: boolean;
  /** Those still there, each at its latest version. */
  readonly remaining: readonly GasCoin[];
}

/** Compares coins as they were with what `Ledger.readGasCoins` shows now. */
export function compareCoins(
  coins: readonly GasCoin[],
  current: ReadonlyMap<string, GasCoin | 'gone'>,
): CoinsNow {
  const pairs = coins.map((coin) => ({ coin, now: current.get(coin.objectId) }));
  return {
    allShown: pairs.every(({ now }) => now !== undefined),
    haveMoved: pairs.some(
      ({ coin, now }) => now === 'gone' || (now !== undefined && now.version > coin.version),
    ),
    remaining: pairs.flatMap(({ coin, now }) => {
      if (now === undefined || now === 'gone') return [];
      return now.version > coin.version ? [now] : [coin];
    }),
  };
}
