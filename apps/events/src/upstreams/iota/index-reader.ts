import { isNotFound, TransactionInconvertible, UpstreamFailed } from '../upstream-errors.js';
import type { CheckpointRange } from './checkpoints.js';
import {
  findUnknown,
  type LocatedTransaction,
  locateTransactions,
  splitIntoPages,
} from './fetch-transactions.js';
import type { IndexedNode, IndexPage, NodeIndex } from './node-index.js';

/** Maximum number of entries of one epoch; beyond it, reading its checkpoints is cheaper. */
const MAX_ENTRIES = 2_500;

/**
 * The next step in ledger order: transactions, or too many of them, so that checkpoints must be read from `denseFrom`
 * on.
 */
export type IndexStep =
  { readonly found: readonly LocatedTransaction[] } | { readonly denseFrom: number };

/**
 * Reads an index in the order of checkpoints. A node executes all transactions of an epoch before those of the next, so an
 * epoch's entries are complete, and can be ordered, when a whole page belongs to other epochs. Begins at the edge of an epoch.
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
   * Throws `UpstreamFailed` if the index is not in the order of epochs, or contains entries that the node does not
   * know.
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
        yield { found: await this.takeCompleted(located) };
      } else if (this.range.descending && isLocated) {
        // All further entries are pruned.
        break;
      }
      if (this.#entries > MAX_ENTRIES) {
        yield { denseFrom: await this.edgeOfEpoch() };
        return;
      }
    }
    yield { found: this.take(this.inOrder()) };
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
    // A node skips an entry after a cursor that is not in the index itself, so the skipped entry is one of those
    // before.
    const before = await index.page(page.first, !range.descending);
    return { ...page, digests: [...before.digests, ...page.digests] };
  }

  /** A transaction of a neighbouring epoch that executed before all searched ones; null: the end of the index. */
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

  /** Throws `TransactionInconvertible`: behind a balancer, the index may come from a node that is ahead of another. */
  private async checkKnown(
    digests: readonly string[],
    placed: readonly LocatedTransaction[],
  ): Promise<void> {
    const found = new Set(placed.map(({ digest }) => digest));
    const others = [...new Set(digests)].filter((digest) => !found.has(digest));
    for (const page of splitIntoPages(others)) {
      const unknown = await findUnknown(this.node.call, page);
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
  private take(taken: LocatedTransaction[]): LocatedTransaction[] {
    for (const { digest } of taken) this.#window.delete(digest);
    this.#lastFound = taken.at(-1)?.checkpoint ?? this.#lastFound;
    return taken;
  }

  /** In the direction of the search; of checkpoints, or of epochs. */
  private isBefore(a: number, b: number): boolean {
    return this.range.descending ? a > b : a < b;
  }
}
