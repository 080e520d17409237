import { canonicalAddress, digestInBase58, type EventCriterion } from '@forecourt/contracts';
import type { NodeClient } from '@forecourt/ledger';
import { UnsupportedByUpstream } from '../unsupported-by-upstream.js';
import { checkpointMissing } from '../checkpoint-missing.js';
import { TransactionInconvertible } from '../transaction-inconvertible.js';
import { isNotFound, isUnreadable, isUnsupported, NodeRefused } from '../node-refused.js';
import { firstTxSeq } from './derive-records.js';
import {
  isWanted,
  type LocatedTransaction,
  locateTransaction,
  type SealedDigest,
  type TransactionRecords,
  type Transactions,
} from './transactions.js';
import { findRange, type Search, type SearchedRange } from './checkpoints.js';
import {
  IndexReader,
  createEventIndex,
  createTransactionIndex,
  findSettled,
  type IndexedNode,
  type NodeIndex,
} from './index-reader.js';
import { mergeInOrder } from './merge-in-order.js';
import { Walk } from './walk.js';

/** Transactions loaded at once: few at first, for queries that want few events. */
const SMALLEST_BATCH = 5;
const LARGEST_BATCH = 50;
/** The ledger's own transactions also call its modules, such as the one that ends an epoch. */
const SYSTEM_PACKAGE = canonicalAddress('0x3');

/** A superset of the transactions with matching events, in the order of the search. */
type Candidates = AsyncGenerator<readonly TransactionRecords[]>;

/** The parts of a node that one session reads. */
interface SearchedNode extends IndexedNode {
  readonly transactions: Transactions;
  readonly filters: KnownFilters;
}

/** Finds candidates through the node's indexes; the caller checks each event against the whole criterion. */
export class CandidateFinder {
  constructor(private readonly node: SearchedNode) {}

  /**
   * Throws `UnsupportedByUpstream` at the first transaction that the node does not have, after all earlier
   * ones, and immediately if the node has no index for the criterion. Reports to `walk` if it reads one
   * checkpoint after another for a few events.
   */
  async *find(search: Search, walk: Walk): Candidates {
    const { criterion, descending } = search;
    await requireFilters(this.node, criterion.key, filtersOf(criterion));
    if (criterion.key === 'Transaction') {
      yield* this.findTransaction(criterion.value, descending);
      return;
    }
    const { checkpoints } = this.node;
    const range = await findRange(checkpoints, search, await this.findBegin(search));
    if (range === null) return;
    yield* this.search(criterion, range, walk);
    if (descending && range.isCut) throw await checkpoints.pruned(await checkpoints.lowest());
  }

  private search(
    criterion: Exclude<EventCriterion, { key: 'Transaction' }>,
    range: SearchedRange,
    walk: Walk,
  ): Candidates {
    if (criterion.key === 'All' || criterion.key === 'TimeRange') {
      return this.node.transactions.scan(range, { withEmpty: true });
    }
    const indexes = indexesOf(this.node.client, criterion);
    if (indexes.length > 0) return this.query(range, indexes);
    walk.begin(Math.abs(range.last - range.first) + 1);
    const kind = criterion.key === 'EventType' ? criterion.value : null;
    const withEmpty = kind === 'Checkpoint';
    const scope = { onlyLast: withEmpty || kind === 'EpochChange', withEmpty };
    return this.node.transactions.scan(range, scope, (checkpoints) => walk.advance(checkpoints));
  }

  /**
   * The checkpoint with the cursor; null without one, or if no checkpoint has the transaction yet. The events
   * of empty checkpoints have the id of the transaction before them.
   */
  private async findBegin({ cursor }: Search): Promise<number | null> {
    const { checkpoints, transactions } = this.node;
    const begin = cursor && (await checkpoints.containing(cursor.txSeq));
    if (begin === null || cursor!.eventSeq === 0) return begin;
    const filled = await checkpoints.get(begin);
    if (Number(filled.networkTotalTransactions) !== cursor!.txSeq + 1) return begin;
    const next = await checkpoints.containing(cursor!.txSeq + 1);
    const last = (next ?? (await checkpoints.latest()) + 1) - 1;
    if (last === begin) return begin;
    const end = await transactions.findEnd(filled);
    if (end instanceof UnsupportedByUpstream) throw end;
    return Math.min(begin + Math.max(0, cursor!.eventSeq - end.id.eventSeq), last);
  }

  private async *findTransaction(digestInBase64: string, descending: boolean): Candidates {
    const transaction = await this.locate(digestInBase58(digestInBase64));
    if (transaction) yield* this.load([transaction], { descending, startTxSeq: null });
  }

  /**
   * Null if the transaction does not exist, or not yet; throws `HistoryPruned` at a pruned node, where it may
   * have existed.
   */
  private async locate(digest: string): Promise<LocatedTransaction | null> {
    const { client, checkpoints } = this.node;
    try {
      return await locateTransaction(client, digest);
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
      else yield* this.load(step.places, range);
    }
  }

  /** The events of transactions in the order of their checkpoints, sorted within each checkpoint. */
  private async *load(
    places: readonly LocatedTransaction[],
    { descending, startTxSeq }: Pick<SearchedRange, 'descending' | 'startTxSeq'>,
  ): Candidates {
    let size = SMALLEST_BATCH;
    let end = 0;
    do {
      const begin = end;
      end = Math.min(begin + size, places.length);
      while (end < places.length && places[end]!.checkpoint === places[end - 1]!.checkpoint)
        end += 1;
      size = Math.min(2 * size, LARGEST_BATCH);
      const sealed = await this.withCheckpoints(places.slice(begin, end));
      const inOrder = sealed.sort((a, b) => a.txSeq - b.txSeq);
      if (descending) inOrder.reverse();
      const remaining = inOrder.filter(({ txSeq }) => isWanted(txSeq, { descending, startTxSeq }));
      const { records, failure } = await this.node.transactions.read(remaining);
      yield records;
      if (failure) throw failure;
    } while (end < places.length);
  }

  private async withCheckpoints(places: readonly LocatedTransaction[]): Promise<SealedDigest[]> {
    const { checkpoints } = this.node;
    const numbers = [...new Set(places.map(({ checkpoint }) => checkpoint))];
    const read = await Promise.all(numbers.map((number) => checkpoints.get(number)));
    const byNumber = new Map(numbers.map((number, index) => [number, read[index]!]));
    return places.map(({ digest, checkpoint: number }) => {
      const checkpoint = byNumber.get(number)!;
      const index = checkpoint.transactions.indexOf(digest);
      if (index === -1) {
        throw checkpointMissing(number, `transaction ${digest} is not listed in it`);
      }
      return { digest, checkpoint, txSeq: firstTxSeq(checkpoint) + index };
    });
  }
}

/**
 * The node's indexes that together find a criterion's transactions; empty: checkpoints must be read one by
 * one.
 */
function indexesOf(client: NodeClient, criterion: EventCriterion): readonly NodeIndex[] {
  const transactions = filtersOf(criterion).map((filter) => createTransactionIndex(client, filter));
  switch (criterion.key) {
    case 'MoveEvent':
      return [createEventIndex(client, eventFilterOf(criterion.value))];
    case 'EventType':
      return criterion.value === 'MoveEvent' ? [createEventIndex(client, { All: [] })] : [];
    case 'MoveModule':
      if (criterion.value.package !== SYSTEM_PACKAGE) return transactions;
      // Those transactions have no commands, and are missing in the index of calls.
      return [...transactions, createEventIndex(client, { MoveModule: criterion.value })];
    default:
      return transactions;
  }
}

const NATIVE_PACKAGE = canonicalAddress('0x2');

/**
 * The filters of `iotax_queryTransactionBlocks` that find a criterion's transactions; empty if that method is
 * not used.
 */
function filtersOf(criterion: EventCriterion): readonly TransactionFilter[] {
  switch (criterion.key) {
    case 'MoveModule': {
      const { package: packageId, module } = criterion.value;
      // Objects that no Move call made are attributed to it, and are not in the index of calls.
      if (packageId === NATIVE_PACKAGE && module === 'native') return [];
      return [{ MoveFunction: { package: packageId, module } }];
    }
    case 'Sender':
      return [{ FromAddress: criterion.value }];
    case 'Recipient': {
      const { value: owner } = criterion;
      const isAddress = typeof owner === 'object' && 'AddressOwner' in owner;
      return isAddress ? [{ ToAddress: owner.AddressOwner }] : [];
    }
    case 'Object':
      // The index of changed objects omits deleted ones, which were inputs.
      return [{ ChangedObject: criterion.value }, { InputObject: criterion.value }];
    default:
      return [];
  }
}

/** How long a refusal counts: the node may get the index, or be replaced by one that has it. */
const UNSUPPORTED_FRESH_MS = 60_000;

/** Name of a filter → whether the node answers it, shared by all sessions. */
export type KnownFilters = Map<string, { readonly isSupported: boolean; readonly time: number }>;

/** A filter of `iotax_queryTransactionBlocks`, with one key. */
type TransactionFilter = Readonly<Record<string, unknown>>;

/** A node compares whole types: one without parameters may have any. */
function eventFilterOf(type: string): object {
  if (type.includes('<')) return { MoveEventType: type };
  const [packageId, module] = type.split('::');
  return { MoveEventModule: { package: packageId, module } };
}

/**
 * Throws `UnsupportedByUpstream` if the node has no index for one of the filters. Each filter is tested once,
 * with a page of one transaction.
 */
async function requireFilters(
  { client, filters: known }: Pick<SearchedNode, 'client' | 'filters'>,
  criterion: string,
  filters: readonly TransactionFilter[],
): Promise<void> {
  const unsupported: string[] = [];
  for (const filter of filters) {
    const name = nameOf(filter);
    let entry = known.get(name);
    if (!entry || (!entry.isSupported && performance.now() - entry.time > UNSUPPORTED_FRESH_MS)) {
      entry = { isSupported: await isSupported(client, filter), time: performance.now() };
      known.set(name, entry);
    }
    if (!entry.isSupported) unsupported.push(name);
  }
  if (unsupported.length > 0) throw withoutIndex(criterion, unsupported);
}

const nameOf = (filter: TransactionFilter): string => Object.keys(filter)[0]!;

async function isSupported(client: NodeClient, filter: TransactionFilter): Promise<boolean> {
  try {
    await client.queryTransactions(filter, null, 1, true);
    return true;
  } catch (error) {
    if (isUnsupported(error)) return false;
    // The query itself handles other refusals.
    if (error instanceof NodeRefused) return true;
    throw error;
  }
}

function withoutIndex(criterion: string, unsupported: readonly string[]): UnsupportedByUpstream {
  return new UnsupportedByUpstream(
    'unanswerable',
    `Query cannot be answered: the ledger node has no index for the criterion ${criterion} (its iotax_queryTransactionBlocks does not support ${unsupported.join(' and ')}); query by Sender, MoveEvent or TimeRange, add a node that has the index to EVENTS_UPSTREAMS, or set EVENTS_DATABASE_URL to keep an index of all events`,
    { criterion, unsupported },
  );
}
