import type { LedgerReader } from './ledger.js';
import type { GasCoin } from './object-reference.js';

/**
 * The coins that a listing shows, by id, and the state of those `known` coins that it lacks: a coin that changes while a
 * node lists page by page may be on none of them. See `LedgerReader.readGasCoins`.
 */
export async function findGasCoins(
  ledger: Pick<LedgerReader, 'listGasCoins' | 'readGasCoins'>,
  owner: string,
  known: readonly Pick<GasCoin, 'objectId' | 'version'>[],
  hadAt?: number,
): Promise<ReadonlyMap<string, GasCoin | 'gone'>> {
  const found = new Map<string, GasCoin | 'gone'>();
  for await (const page of ledger.listGasCoins(owner)) {
    for (const coin of page) found.set(coin.objectId, coin);
  }
  const missed = known.filter(({ objectId }) => !found.has(objectId));
  if (missed.length === 0) return found;
  for (const [objectId, coin] of await ledger.readGasCoins(owner, missed, hadAt)) {
    found.set(objectId, coin);
  }
  return found;
}
