import type { NodeClient, NodeEventId, NodePage } from '@forecourt/ledger';
import { TransactionInconvertible } from '../transaction-inconvertible.js';
import { isNotFound, NodeRefused } from '../node-refused.js';
import { UpstreamFailed } from '../upstream-failed.js';
import type { CheckpointRange, Checkpoints } from './checkpoints.js';
import {
  findUnknown,
  type LocatedTransaction,
  locateTransactions,
  splitIntoPages,
  type KnownPlaces,
  NODE_PAGE,
} from './transactions.js';

/** Maximum number of entries of one epoch; beyond it, reading its checkpoints is cheaper. */
const MAX_ENTRIES = 2_500;

/**
 * The next step in ledger order: transactions, or too many of them, so that checkpoints must be read from
 * `denseFrom` on.
 */
type IndexStep =
  { readonly places: readonly LocatedTransaction[] } | { readonly denseFrom: number };

/**
 * Reads an index in the order of checkpoints. A node executes all transactions of an epoch before those of
 * the next, so an epoch's entries are complete, and can be ordered, when a whole page belongs to other
 * epochs. Begins at the edge of an epoch.
 */
export class IndexReader {
  readonly #window = new Map<string, LocatedTransaction>();
  /** The epoch at the beginning of the last page; initially the epoch where the search begins. */
  #epoch = 0;
  /** Entries read since that epoch began. */
  #entries = 0;
  #lastFound: number | null = null;

  constructor(
    private readonly node: IndexedNode,
    private readonly index: NodeIndex,
    private readonly range: CheckpointRange,
    /** Number of the newest checkpoint whose transactions are all in the index. */
    private readonly settled: number,
  ) {}

  /**
   * Throws `UpstreamFailed` if the index is not in the order of epochs, or contains entries that the node
   * does not know.
   */
  async *read(): AsyncGenerator<IndexStep> {
    const lowest = await this.node.checkpoints.lowest();
    this.#epoch = await this.node.checkpoints.epochOf(this.range.first);
    let isLocated = false;
    for await (const page of this.pages()) {
      const placed = await locateTransactions(this.node, page.digests);
      // Entries that a pruning node no longer knows are below the range.
      if (lowest === 0) await this.checkKnown(page.digests, placed);
      const located = placed.filter(({ checkpoint }) => checkpoint >= lowest);
      this.#entries += page.digests.length;
      for (const one of located) this.add(one);
      if (located.length > 0) {
        isLocated = true;
        yield { places: await this.takeCompleted(located) };
      } else if (this.range.descending && isLocated) {
        // All further entries are pruned.
        break;
      }
      if (this.#entries > MAX_ENTRIES) {
        yield { denseFrom: await this.edgeOfEpoch() };
        return;
      }
    }
    yield { places: this.take(this.inOrder()) };
  }

  private async *pages(): AsyncGenerator<IndexPage<unknown>> {
    let page = await this.firstPage();
    yield page;
    while (page.next !== null) {
      page = await this.index.page(page.next, this.range.descending);
      yield page;
    }
  }

  private async firstPage(): Promise<IndexPage<unknown>> {
    const { index, range } = this;
    const start = await this.start();
    if (start === null) return index.page(null, range.descending);
    let page: IndexPage<unknown>;
    try {
      page = await index.page(index.cursorOf(start), range.descending);
    } catch (error) {
      // The index does not go back that far: read it from its start.
      if (isNotFound(error)) return index.page(null, range.descending);
      throw error;
    }
    // A node skips an entry after a cursor that is not in the index itself, so the skipped entry is one of
    // those before.
    const before = await index.page(page.first, !range.descending);
    return { ...page, digests: [...before.digests, ...page.digests] };
  }

  /**
   * A transaction of a neighbouring epoch that executed before all searched ones; null: the end of the index.
   */
  private async start(): Promise<string | null> {
    const { range } = this;
    const { checkpoints } = this.node;
    const lowest = await checkpoints.lowest();
    if (!range.descending && range.first === lowest) return null;
    const edge = await checkpoints.epochStart(range.descending ? this.#epoch + 1 : this.#epoch);
    if (edge === null) return null;
    const neighbour = range.descending ? edge : edge - 1;
    if (neighbour < lowest || neighbour > this.settled) return null;
    return (await checkpoints.get(neighbour)).transactions.at(-1) ?? null;
  }

  /**
   * Throws `TransactionInconvertible`: behind a balancer, the index may come from a node that is ahead of
   * another.
   */
  private async checkKnown(
    digests: readonly string[],
    placed: readonly LocatedTransaction[],
  ): Promise<void> {
    const known = new Set(placed.map(({ digest }) => digest));
    const others = [...new Set(digests)].filter((digest) => !known.has(digest));
    for (const page of splitIntoPages(others)) {
      const unknown = await findUnknown(this.node.client, page);
      if (unknown === null) continue;
      throw new TransactionInconvertible(unknown, null, 'it is in the index and is not known');
    }
  }

  private add(one: LocatedTransaction): void {
    const { first, last } = this.range;
    const { checkpoint } = one;
    if (this.isBefore(checkpoint, first) || this.isBefore(last, checkpoint)) return;
    if (this.#lastFound !== null && !this.isBefore(this.#lastFound, checkpoint)) {
      throw new UpstreamFailed('the index of the ledger node is not in the order of epochs');
    }
    this.#window.set(one.digest, one);
  }

  /** The transactions of the epochs that are complete after the last page. */
  private async takeCompleted(page: readonly LocatedTransaction[]): Promise<LocatedTransaction[]> {
    const { range } = this;
    const { checkpoints } = this.node;
    const numbers = page.map(({ checkpoint }) => checkpoint);
    const epoch = await checkpoints.epochOf(
      range.descending ? Math.max(...numbers) : Math.min(...numbers),
    );
    if (!this.isBefore(this.#epoch, epoch)) return [];
    this.#epoch = epoch;
    this.#entries = page.length;
    const window = this.inOrder();
    let low = 0;
    let high = window.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const isComplete = this.isBefore(
        await checkpoints.epochOf(window[middle]!.checkpoint),
        epoch,
      );
      if (isComplete) low = middle + 1;
      else high = middle;
    }
    return this.take(window.slice(0, low));
  }

  /** The first checkpoint of the current epoch in the direction of the search, within the range. */
  private async edgeOfEpoch(): Promise<number> {
    const { first, descending } = this.range;
    const start = await this.node.checkpoints.epochStart(
      descending ? this.#epoch + 1 : this.#epoch,
    );
    if (start === null) return first;
    return descending ? Math.min(first, start - 1) : Math.max(first, start);
  }

  private inOrder(): LocatedTransaction[] {
    const sign = this.range.descending ? -1 : 1;
    return [...this.#window.values()].sort((a, b) => sign * (a.checkpoint - b.checkpoint));
  }

  /** Removes transactions from the window. */
  private take(transactions: LocatedTransaction[]): LocatedTransaction[] {
    for (const { digest } of transactions) this.#window.delete(digest);
    this.#lastFound = transactions.at(-1)?.checkpoint ?? this.#lastFound;
    return transactions;
  }

  /** In the direction of the search; of checkpoints, or of epochs. */
  private isBefore(a: number, b: number): boolean {
    return this.range.descending ? a > b : a < b;
  }
}

/** The parts of a node that one session reads. */
export interface IndexedNode {
  readonly client: NodeClient;
  readonly checkpoints: Checkpoints;
  readonly places: KnownPlaces;
}

interface IndexPage<Cursor> {
  /** Base58 digests of the transactions; one may appear several times. */
  readonly digests: readonly string[];
  /** The cursor of the first entry; null if the page is empty. */
  readonly first: Cursor | null;
  /** The start of the next page; null after the last. */
  readonly next: Cursor | null;
}

/**
 * One of a node's indexes of transactions. It is in the order in which that node executed them, which differs
 * between nodes and from the ledger's; only the epochs are in order. Cursors are exclusive. They never leave
 * this process.
 */
export interface NodeIndex<Cursor = unknown> {
  page(after: Cursor | null, descending: boolean): Promise<IndexPage<Cursor>>;
  /** The cursor of a transaction, which need not satisfy the index's filter. */
  cursorOf(digest: string): Cursor;
}

/** Transactions that satisfy a filter; null: all. */
export function createTransactionIndex(
  client: NodeClient,
  filter: object | null,
): NodeIndex<string> {
  return {
    async page(after, descending) {
      const page = await client.queryTransactions(filter, after, NODE_PAGE, descending);
      const { data: digests } = page;
      return { digests, first: digests[0] ?? null, next: nextOf(page, digests.at(-1)) };
    },
    cursorOf: (digest) => digest,
  };
}

/** Transactions of the Move events that satisfy a filter. */
export function createEventIndex(client: NodeClient, filter: object): NodeIndex<NodeEventId> {
  return {
    async page(after, descending) {
      const page = await client.queryEvents(filter, after, NODE_PAGE, descending);
      const digests = page.data.map(({ txDigest }) => txDigest);
      return { digests, first: page.data[0] ?? null, next: nextOf(page, page.data.at(-1)) };
    },
    cursorOf: (txDigest) => ({ txDigest, eventSeq: '0' }),
  };
}

/** An empty page is the last one, even if it has a cursor, which would lead nowhere. */
function nextOf<T>(page: NodePage<T>, last: T | undefined): T | null {
  return page.hasNextPage && last !== undefined ? (page.nextCursor ?? last) : null;
}

/** Pages of transactions that are executed and not sealed yet. */
const MAX_UNSEALED_PAGES = 10;

/**
 * Number of the newest checkpoint up to which the node's index counts as complete; -1 before the first one.
 * An index may lag behind the checkpoints, and its newest entries are in the order in which the node happened
 * to execute them, so the checkpoints of the newest page are read one by one instead. A node without an index
 * has no settled checkpoint.
 */
export async function findSettled(node: IndexedNode): Promise<number> {
  const lowest = await node.checkpoints.lowest();
  const index = createTransactionIndex(node.client, null);
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
