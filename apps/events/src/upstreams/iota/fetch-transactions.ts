import { LRUCache } from 'lru-cache';
import type { CallNode } from '../call-node.js';
import { isNotFound, isUnreadable } from '../upstream-errors.js';
import type { NodeTransaction } from './node-json.js';

/** Maximum number of transactions or events in one call to a node. */
export const NODE_PAGE = 50;

export function splitIntoPages<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / NODE_PAGE) }, (_, page) =>
    items.slice(page * NODE_PAGE, (page + 1) * NODE_PAGE),
  );
}

/** The parts of a transaction to request from a node. */
const SHOWN = { showInput: true, showEffects: true, showEvents: true, showObjectChanges: true };

/** A transaction that the node does not return. */
export interface Unreadable {
  readonly reason: string;
  /** The node reports that it does not have it. */
  readonly isNotFound: boolean;
}

export type FetchedTransaction = NodeTransaction | Unreadable;

/**
 * The node's transactions by digest, with all parts that it can show. A node refuses a whole page because of one
 * transaction that it cannot show: the page is halved, down to that one. Transactions after the first such one may be
 * left out, since events are used in order.
 */
export async function fetchTransactions(
  call: CallNode,
  digests: readonly string[],
): Promise<Map<string, FetchedTransaction>> {
  try {
    const page = await call<readonly (NodeTransaction | null)[] | null>(
      'iota_multiGetTransactionBlocks',
      [digests, SHOWN],
    );
    const shown = (page ?? []).filter((one) => one !== null);
    return new Map(shown.map((one) => [one.digest, one]));
  } catch (error) {
    if (!isNotFound(error) && !isUnreadable(error)) throw error;
    const [digest] = digests;
    if (digests.length === 1) {
      return new Map([[digest!, { reason: error.message, isNotFound: isNotFound(error) }]]);
    }
    const middle = Math.ceil(digests.length / 2);
    const found = await fetchTransactions(call, digests.slice(0, middle));
    if ([...found.values()].some((one) => 'reason' in one)) return found;
    return new Map([...found, ...(await fetchTransactions(call, digests.slice(middle)))]);
  }
}

/** A transaction and the number of the checkpoint that contains it. */
export interface LocatedTransaction {
  /** In base58. */
  readonly digest: string;
  readonly checkpoint: number;
}

interface ShownTransaction {
  readonly digest: string;
  readonly checkpoint?: string | null;
  /** With `showInput`. */
  readonly transaction?: unknown;
}

/** About 10 MiB. */
const MAX_PLACES = 50_000;

/** Digest → number of its checkpoint, shared by all sessions: a sealed transaction stays where it is. */
export type KnownPlaces = LRUCache<string, number>;

export function createKnownPlaces(): KnownPlaces {
  return new LRUCache({ max: MAX_PLACES });
}

/** The positions of the transactions; those that are not sealed yet, or pruned, are left out. */
export async function locateTransactions(
  { call, places }: { readonly call: CallNode; readonly places: KnownPlaces },
  digests: readonly string[],
): Promise<LocatedTransaction[]> {
  const located: LocatedTransaction[] = [];
  const unknown: string[] = [];
  for (const digest of new Set(digests)) {
    const checkpoint = places.get(digest);
    if (checkpoint === undefined) unknown.push(digest);
    else located.push({ digest, checkpoint });
  }
  const pages = splitIntoPages(unknown).map((page) => locatePage(call, page));
  for (const one of (await Promise.all(pages)).flat()) {
    places.set(one.digest, one.checkpoint);
    located.push(one);
  }
  return located;
}

/** The position of one transaction; null while it is not sealed. Throws the node's refusal if it does not know it. */
export async function locateTransaction(
  call: CallNode,
  digest: string,
): Promise<LocatedTransaction | null> {
  const shown = await call<ShownTransaction>('iota_getTransactionBlock', [digest, {}]);
  return readPlaces([shown])[0] ?? null;
}

/**
 * The first of the digests that the node does not know; null if it knows all, so that those without a checkpoint are
 * not sealed yet. `digests` fit into one page.
 */
export async function findUnknown(
  call: CallNode,
  digests: readonly string[],
): Promise<string | null> {
  try {
    const shown = await call<readonly (ShownTransaction | null)[] | null>(
      'iota_multiGetTransactionBlocks',
      [digests, { showInput: true }],
    );
    const known = (shown ?? []).filter((one) => one?.transaction != null);
    const knownDigests = new Set(known.map((one) => one!.digest));
    return digests.find((digest) => !knownDigests.has(digest)) ?? null;
  } catch (error) {
    if (isNotFound(error)) return digests[0] ?? null;
    throw error;
  }
}

async function locatePage(
  call: CallNode,
  digests: readonly string[],
): Promise<LocatedTransaction[]> {
  try {
    const shown = await call<readonly (ShownTransaction | null)[] | null>(
      'iota_multiGetTransactionBlocks',
      [digests, {}],
    );
    return readPlaces(shown ?? []);
  } catch (error) {
    // Some nodes refuse a page because of one digest that they have pruned.
    if (!isNotFound(error)) throw error;
    if (digests.length === 1) return [];
    const middle = Math.ceil(digests.length / 2);
    const halves = [digests.slice(0, middle), digests.slice(middle)];
    return (await Promise.all(halves.map((half) => locatePage(call, half)))).flat();
  }
}

function readPlaces(shown: readonly (ShownTransaction | null)[]): LocatedTransaction[] {
  return shown.flatMap((one) =>
    one?.checkpoint == null ? [] : [{ digest: one.digest, checkpoint: Number(one.checkpoint) }],
  );
}
