import type { GasCoin } from '@forecourt/ledger';
import { type PlacementRules, placeOf } from './placement.js';

/** How a coin is written in the store: `version:digest:balance:place`. */
export function writeCoinRecord(coin: GasCoin, rules: PlacementRules): string {
  return `${coin.version}:${coin.digest}:${coin.balance}:${placeOf(coin.balance, rules)}`;
}

/** Reads a record back. */
export function readCoinRecord(objectId: string, record: string): GasCoin {
  const [version, digest, balance] = record.split(':');
  if (version === undefined || digest === undefined || balance === undefined) {
    throw new Error(`coin ${objectId} has a damaged record: ${record}`);
  }
  return { objectId, version: Number(version), digest, balance: BigInt(balance) };
}

/** Reads a list of coins: `objectId:record,objectId:record`. */
export function readCoinList(text: string): GasCoin[] {
  if (text === '') return [];
  return text.split(',').map((coin) => {
    const end = coin.indexOf(':');
    return readCoinRecord(coin.slice(0, end), coin.slice(end + 1));
  });
}

/** Flat arguments for a script: objectId, record, … */
export function writeCoinArguments(coins: readonly GasCoin[], rules: PlacementRules): string[] {
  return coins.flatMap((coin) => [coin.objectId, writeCoinRecord(coin, rules)]);
}
