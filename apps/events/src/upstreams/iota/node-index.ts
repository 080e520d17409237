import type { CallNode } from '../call-node.js';
import { NodeRefused } from '../upstream-errors.js';
import type { Checkpoints } from './checkpoints.js';
import { type KnownPlaces, locateTransactions, NODE_PAGE } from './fetch-transactions.js';
import type { NodeEvent, NodePage } from './node-json.js';

/** The parts of a node that one session reads. */
export interface IndexedNode {
  readonly call: CallNode;
  readonly checkpoints: Checkpoints;
  readonly places: KnownPlaces;
}

export interface IndexPage<Cursor> {
  /** Base58 digests of the transactions; one may appear several times. */
  readonly digests: readonly string[];
  /** The cursor of the first entry; null if the page is empty. */
  readonly first: Cursor | null;
  /** The start of the next page; null after the last. */
  readonly next: Cursor | null;
}

/**
 * One of a node's indexes of transactions. It is in the order in which that node executed them, which differs between nodes
 * and from the ledger's; only the epochs are in order. Cursors are exclusive. They never leave this process.
 */
export interface NodeIndex<Cursor = unknown> {
  page(after: Cursor | null, descending: boolean): Promise<IndexPage<Cursor>>;
  /** The cursor of a transaction, which need not satisfy the index's filter. */
  cursorOf(digest: string): Cursor;
}

/** Transactions that satisfy a filter; null: all. */
export function createTransactionIndex(call: CallNode, filter: object | null): NodeIndex<string> {
  return {
    async page(after, descending) {
      const page: NodePage<{ readonly digest: string }, string> = await call(
        'iotax_queryTransactionBlocks',
        [{ filter }, after, NODE_PAGE, descending],
      );
      const digests = page.data.map(({ digest }) => digest);
      return { digests, first: digests[0] ?? null, next: nextOf(page, digests.at(-1)) };
    },
    cursorOf: (digest) => digest,
  };
}

/** Transactions of the Move events that satisfy a filter. */
export function createEventIndex(call: CallNode, filter: object): NodeIndex<NodeEvent['id']> {
  return {
    async page(after, descending) {
      const page: NodePage<NodeEvent, NodeEvent['id']> = await call('iotax_queryEvents', [
        filter,
        after,
        NODE_PAGE,
        descending,
      ]);
      const digests = page.data.map(({ id }) => id.txDigest);
      const first = page.data[0]?.id ?? null;
      return { digests, first, next: nextOf(page, page.data.at(-1)?.id) };
    },
    cursorOf: (txDigest) => ({ txDigest, eventSeq: '0' }),
  };
}

/** An empty page is the last one, even if it has a cursor, which would lead nowhere. */
function nextOf<C>(page: NodePage<unknown, C>, last: C | undefined): C | null {
  return page.hasNextPage && last !== undefined ? (page.nextCursor ?? last) : null;
}

/** Pages of transactions that are executed and not sealed yet. */
const MAX_UNSEALED_PAGES = 10;

/**
 * Number of the newest checkpoint up to which the node's index counts as complete; -1 before the first one. An index may
 * lag behind the checkpoints, and its newest entries are in the order in which the node happened to execute them, so
 * the checkpoints of the newest page are read one by one instead. A node without an index has no settled checkpoint.
 */
export async function findSettled(node: IndexedNode): Promise<number> {
  const lowest = await node.checkpoints.lowest();
  const index = createTransactionIndex(node.call, null);
  try {
    let page = await index.page(null, true);
    for (let pages = 1; page.next !== null && pages <= MAX_UNSEALED_PAGES; pages++) {
      const located = await locateTransactions(node, page.digests);
      const numbers = located.map(({ checkpoint }) => checkpoint);
      if (numbers.length > 0) return Math.max(Math.min(...numbers), lowest) - 1;
      page = await index.page(page.next, true);
    }
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error;
  }
  return -1;
}
