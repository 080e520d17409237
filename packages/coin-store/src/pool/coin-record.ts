import type { GasCoin } from '@forecourt/ledger';
import { type PlacementRules, placeOf } from './placement.js';

/** How a coin is written in the store: `balance:place:objectId:version:digest`. */
export function writeCoin(coin: GasCoin, place: string): string {
  return [coin.balance, place, coin.objectId, coin.version, coin.digest].join(':');
}

/** Reads a coin back. Throws `Error` when the text is not a coin. */
function readCoin(text: string): GasCoin {
  const [balance, , objectId, version, digest] = text.split(':');
  if (!balance || !objectId || version === undefined || digest === undefined) {
    throw new Error(`stored coin cannot be read: ${text}`);
  }
  return { objectId, version: Number(version), digest, balance: BigInt(balance) };
}

/** Reads a list of coins, comma-separated. Throws `Error` when one of them is not a coin. */
export function readCoinList(text: string): GasCoin[] {
  return text === '' ? [] : text.split(',').map(readCoin);
}

/** Flat arguments for a script: objectId, coin, … */
export function writeCoinArguments(coins: readonly GasCoin[], rules: PlacementRules): string[] {
  return coins.flatMap((coin) => [coin.objectId, writeCoin(coin, placeOf(coin.balance, rules))]);
}
