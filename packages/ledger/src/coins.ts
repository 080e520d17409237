import type { ExecutedTransaction } from './executed-transaction.js';
import type { LedgerReader } from './ledger.js';
import type { GasCoin, ShownCoin } from './object-reference.js';

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
  /** Those at a later version or gone, at their recorded versions. */
  readonly moved: readonly GasCoin[];
  /** The others that the node shows. */
  readonly unmoved: readonly GasCoin[];
}

/** Compares coins at their recorded versions with the current result of `Ledger.readGasCoins`. */
export function compareCoins(
  coins: readonly GasCoin[],
  current: ReadonlyMap<string, ShownCoin | 'gone'>,
): CoinsNow {
  const pairs = coins.map((coin) => ({ coin, now: current.get(coin.objectId) }));
  const hasMoved = ({ coin, now }: (typeof pairs)[number]) =>
    now === 'gone' || (now !== undefined && now.version > coin.version);
  const moved = pairs.filter(hasMoved).map(({ coin }) => coin);
  const movedBy = pairs.flatMap(({ coin, now }) => {
    if (now === undefined || now === 'gone' || now.version <= coin.version) return [];
    return now.changedBy ?? [];
  });
  return {
    allShown: pairs.every(({ now }) => now !== undefined),
    haveMoved: moved.length > 0,
    moved,
    unmoved: pairs.flatMap((pair) => (pair.now === undefined || hasMoved(pair) ? [] : [pair.coin])),
    movedBy: new Set(movedBy),
    remaining: pairs.flatMap(({ coin, now }) => {
      if (now === undefined || now === 'gone') return [];
      return now.version > coin.version ? [now] : [coin];
    }),
  };
}

/** A coin has paid for fewer transactions since. */
const MOST_STEPS = 1_000;

/**
 * The transaction that used a coin at its recorded version: from the one that has changed it last back over
 * those that made the versions in between. `changedBy`: the last one, null if it is not known. Null when the
 * ledger does not show all of them, as of a coin that is deleted.
 */
export async function findFirstUse(
  ledger: Pick<LedgerReader, 'findLastChanges' | 'readExecuted'>,
  { objectId, version }: Pick<GasCoin, 'objectId' | 'version'>,
  changedBy: string | null,
): Promise<ExecutedTransaction | null> {
  const last = changedBy ?? (await ledger.findLastChanges([objectId])).get(objectId);
  if (last === undefined) return null;
  let user = (await ledger.readExecuted([last])).get(last);
  for (let steps = 0; user && steps < MOST_STEPS; steps += 1) {
    const before = user.versionsBefore.get(objectId);
    if (before === version) return user;
    if (before === undefined || before < version) return null;
    const makers = [...(await ledger.readExecuted(user.dependencies)).values()];
    user = makers.find(({ versionsAfter }) => versionsAfter.get(objectId) === before);
  }
  return null;
}

/**
 * The coins that a listing shows, by id, and the state of those `known` coins that it lacks: a coin that
 * changes while a node lists page by page may be on none of them. See `LedgerReader.readGasCoins`.
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
