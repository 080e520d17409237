import { canonicalAddress, digestInBase58, type EventCriterion } from '@forecourt/contracts';
import type { CallNode } from '../call-node.js';
import {
  CheckpointMissing,
  isNotFound,
  isUnreadable,
  TransactionInconvertible,
} from '../upstream-errors.js';
import { firstTxSeq } from './derive-records.js';
import { type LocatedTransaction, locateTransaction } from './fetch-transactions.js';
import { findRange, type Search, type SearchedRange } from './find-range.js';
import { IndexReader } from './index-reader.js';
import { mergeInOrder } from './merge-in-order.js';
import {
  createEventIndex,
  createTransactionIndex,
  findSettled,
  type IndexedNode,
  type NodeIndex,
} from './node-index.js';
import { filtersOf, type KnownFilters, requireFilters } from './transaction-filters.js';
import type { SealedDigest, TransactionRecords, Transactions } from './transactions.js';
import type { Walk } from './walk.js';

/** Transactions loaded at once: few at first, for queries that want few events. */
const SMALLEST_BATCH = 5;
const LARGEST_BATCH = 50;
/** The ledger's own transactions also call its modules, such as the one that ends an epoch. */
const SYSTEM_PACKAGE = canonicalAddress('0x3');

/** A superset of the transactions with matching events, in the order of the search. */
export type Candidates = AsyncGenerator<readonly TransactionRecords[]>;

/** The parts of a node that one session reads. */
export interface SearchedNode extends IndexedNode {
  readonly transactions: Transactions;
  readonly filters: KnownFilters;
}

/** Finds candidates through the node's indexes; the caller checks each event against the whole criterion. */
export class CandidateFinder {
  constructor(private readonly node: SearchedNode) {}

  /**
   * Throws `UnsupportedByUpstream` at the first transaction that the node does not have, after all earlier ones, and
   * immediately if the node has no index for the criterion. Reports to `walk` if it reads one checkpoint after another
   * for a few events.
   */
  async *find(search: Search, walk: Walk): Candidates {
    const { criterion, descending } = search;
    await requireFilters(this.node, criterion.key, filtersOf(criterion));
    if (criterion.key === 'Transaction') {
      yield* this.findTransaction(criterion.value, descending);
      return;
    }
    const { checkpoints } = this.node;
    const range = await findRange(checkpoints, search);
    if (range === null) return;
    yield* this.search(criterion, range, walk);
    if (descending && range.isCut) throw await checkpoints.pruned(await checkpoints.lowest());
  }

  private search(
    criterion: Exclude<EventCriterion, { key: 'Transaction' }>,
    range: SearchedRange,
    walk: Walk,
  ): Candidates {
    if (criterion.key === 'All' || criterion.key === 'TimeRange') return this.scan(range);
    const indexes = indexesOf(this.node.call, criterion);
    if (indexes.length > 0) return this.query(range, indexes);
    walk.begin(Math.abs(range.last - range.first) + 1);
    const onlyLast =
      criterion.key === 'EventType' && ['Checkpoint', 'EpochChange'].includes(criterion.value);
    return this.node.transactions.scan(range, { onlyLast, walk });
  }

  private async *findTransaction(digestInBase64: string, descending: boolean): Candidates {
    const found = await this.locate(digestInBase58(digestInBase64));
    if (found) yield* this.load([found], { descending, startTxSeq: null });
  }

  /** Null if the transaction does not exist, or not yet; throws `HistoryPruned` at a pruned node, where it may have existed. */
  private async locate(digest: string): Promise<LocatedTransaction | null> {
    const { call, checkpoints } = this.node;
    try {
      return await locateTransaction(call, digest);
    } catch (error) {
      if (isUnreadable(error)) throw new TransactionInconvertible(digest, null, error.message);
      if (!isNotFound(error)) throw error;
      const lowest = await checkpoints.lowest();
      if (lowest > 0) throw await checkpoints.pruned(lowest);
      return null;
    }
  }

  private scan(range: SearchedRange): Candidates {
    return this.node.transactions.scan(range);
  }

  /** Reads checkpoints one by one in the range where the node's index is not settled yet. */
  private async *query(range: SearchedRange, indexes: readonly NodeIndex[]): Candidates {
    const { first, last, descending } = range;
    const settled = await findSettled(this.node);
    if (descending) {
      if (first > settled) yield* this.scan({ ...range, last: Math.max(last, settled + 1) });
      if (last > settled) return;
      const searched = { ...range, first: Math.min(first, settled) };
      yield* this.fromIndexes(indexes, searched, settled);
    } else {
      const searched = { ...range, last: Math.min(last, settled) };
      if (first <= settled) yield* this.fromIndexes(indexes, searched, settled);
      if (last > settled) yield* this.scan({ ...range, first: Math.max(first, settled + 1) });
    }
  }

  private fromIndexes(
    indexes: readonly NodeIndex[],
    range: SearchedRange,
    settled: number,
  ): Candidates {
    const [one, another] = indexes.map((index) =>
      this.readIndex(new IndexReader(this.node, index, range, settled), range),
    );
    return another ? mergeInOrder(one!, another, range.descending) : one!;
  }

  private async *readIndex(reader: IndexReader, range: SearchedRange): Candidates {
    for await (const step of reader.read()) {
      if ('denseFrom' in step) yield* this.scan({ ...range, first: step.denseFrom });
      else yield* this.load(step.found, range);
    }
  }

  /** The events of transactions in the order of their checkpoints, sorted within each checkpoint. */
  private async *load(
    found: readonly LocatedTransaction[],
    { descending, startTxSeq }: Pick<SearchedRange, 'descending' | 'startTxSeq'>,
  ): Candidates {
    let size = SMALLEST_BATCH;
    let end = 0;
    do {
      const begin = end;
      end = Math.min(begin + size, found.length);
      while (end < found.length && found[end]!.checkpoint === found[end - 1]!.checkpoint) end += 1;
      size = Math.min(2 * size, LARGEST_BATCH);
      const sealed = await this.withCheckpoints(found.slice(begin, end));
      const inOrder = sealed.sort((a, b) => a.txSeq - b.txSeq);
      if (descending) inOrder.reverse();
      const { records, failure } = await this.node.transactions.read(inOrder, {
        descending,
        startTxSeq,
      });
      yield records;
      if (failure) throw failure;
    } while (end < found.length);
  }

  private async withCheckpoints(found: readonly LocatedTransaction[]): Promise<SealedDigest[]> {
    const { checkpoints } = this.node;
    const numbers = [...new Set(found.map(({ checkpoint }) => checkpoint))];
    const read = await Promise.all(numbers.map((number) => checkpoints.get(number)));
    const byNumber = new Map(numbers.map((number, index) => [number, read[index]!]));
    return found.map(({ digest, checkpoint: number }) => {
      const checkpoint = byNumber.get(number)!;
      const index = checkpoint.transactions.indexOf(digest);
      if (index === -1) {
        throw new CheckpointMissing(number, `transaction ${digest} is not listed in it`);
      }
      return { digest, checkpoint, txSeq: firstTxSeq(checkpoint) + index };
    });
  }
}

/** The node's indexes that together find a criterion's transactions; empty: checkpoints must be read one by one. */
function indexesOf(call: CallNode, criterion: EventCriterion): readonly NodeIndex[] {
  const transactions = filtersOf(criterion).map((filter) => createTransactionIndex(call, filter));
  switch (criterion.key) {
    case 'MoveEvent':
      return [createEventIndex(call, { MoveEventType: criterion.value })];
    case 'EventType':
      return criterion.value === 'MoveEvent' ? [createEventIndex(call, { All: [] })] : [];
    case 'MoveModule':
      if (criterion.value.package !== SYSTEM_PACKAGE) return transactions;
      // Those transactions have no commands, and are missing in the index of calls.
      return [...transactions, createEventIndex(call, { MoveModule: criterion.value })];
    default:
      return transactions;
  }
}
