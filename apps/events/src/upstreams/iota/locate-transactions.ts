import { LRUCache } from 'lru-cache';
import type { CallNode } from '../call-node.js';
import { isNotFound } from '../classify-refusal.js';
import { splitIntoPages } from './split-into-pages.js';

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
