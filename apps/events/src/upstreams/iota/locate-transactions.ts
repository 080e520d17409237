import type { CallNode } from '../call-node.js';
import { isNotFound } from '../why-refused.js';

/** A transaction and the number of the checkpoint that contains it. */
export interface LocatedTransaction {
  /** In base58. */
  readonly digest: string;
  readonly checkpoint: number;
}

interface ShownTransaction {
  readonly digest: string;
  readonly checkpoint?: string | null;
}

const PAGE = 50;

/** Where the transactions are; those that are not sealed yet, or pruned, are left out. `digests` has no duplicates. */
export async function locateTransactions(
  call: CallNode,
  digests: readonly string[],
): Promise<LocatedTransaction[]> {
  const pages: Promise<LocatedTransaction[]>[] = [];
  for (let at = 0; at < digests.length; at += PAGE) {
    pages.push(locatePage(call, digests.slice(at, at + PAGE)));
  }
  return (await Promise.all(pages)).flat();
}

/** Where one transaction is; null while it is not sealed. Throws the node's refusal when it does not know it. */
export async function locateTransaction(
  call: CallNode,
  digest: string,
): Promise<LocatedTransaction | null> {
  const shown = await call<ShownTransaction>('iota_getTransactionBlock', [digest, {}]);
  return readPlaces([shown])[0] ?? null;
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
