import type { GasCoin } from '@forecourt/ledger';
import { type PlacementRules, placeOf } from './placement-rules.js';

/** Stored form of a coin: `balance:place:objectId:version:digest`. */
export function writeCoin(coin: GasCoin, place: string): string {
  return [coin.balance, place, coin.objectId, coin.version, coin.digest].join(':');
}

/** Reads a stored coin. Throws `Error` for malformed text. */
function readCoin(text: string): GasCoin {
  const [balance, , objectId, version, digest] = text.split(':');
  if (!balance || !objectId || version === undefined || digest === undefined) {
    throw new Error(`stored coin cannot be read: ${text}`);
  }
  return { objectId, version: Number(version), digest, balance: BigInt(balance) };
}

/** Reads a list of coins, comma-separated. Throws `Error` for a malformed one. */
export function readCoinList(text: string): GasCoin[] {
  return text === '' ? [] : text.split(',').map(readCoin);
}

/** Arguments for a script: objectId and coin of each. */
export function writeCoins(coins: readonly GasCoin[], rules: PlacementRules): [string, string][] {
  return coins.map((coin) => [coin.objectId, writeCoin(coin, placeOf(coin.balance, rules))]);
}
