import {
  canonicalAddress,
  digestInBase58,
  type EventCriterion,
  type Owner,
} from '@forecourt/contracts';
import { isNotFound, isUnreadable } from '../classify-refusal.js';
import { CheckpointMissing, TransactionInconvertible } from '../upstream-lacks.js';
import { findRange, type Search, type SearchedRange } from './find-range.js';
import { firstTxSeq } from './derive-records.js';
import { findSettled } from './find-settled.js';
import { type IndexedNode, IndexReader } from './index-reader.js';
import { type LocatedTransaction, locateTransaction } from './locate-transactions.js';
import { mergeInOrder } from './merge-in-order.js';
import { createEventIndex, createTransactionIndex, type NodeIndex } from './node-index.js';
import { scanCheckpoints } from './scan-checkpoints.js';
import type { SealedDigest, TransactionRecords, Transactions } from './transactions.js';

/** Transactions loaded at once: few at first, for a query that wants few events. */
const SMALLEST_BATCH = 5;
const LARGEST_BATCH = 50;
const NATIVE_PACKAGE = canonicalAddress('0x2');
/** Its modules are also called by the ledger's own transactions, such as the one that ends an epoch. */
const SYSTEM_PACKAGE = canonicalAddress('0x3');

/** A superset of the transactions with matching events, in the order of the search. */
export type Candidates = AsyncGenerator<readonly TransactionRecords[]>;

/** What one session reads of a node. */
export interface SearchedNode extends IndexedNode {
  readonly transactions: Transactions;
}

/** Finds candidates through the node's indexes; the caller checks each event against the whole criterion. */
export class CandidateFinder {
  constructor(private readonly node: SearchedNode) {}

  /** Throws `UpstreamLacks` at the first that the node does not have, after everything before it. */
  async *find(search: Search): Candidates {
    const { criterion, descending } = search;
    if (criterion.key === 'Transaction') {
      yield* this.findTransaction(criterion.digest, descending);
      return;
    }
    const { checkpoints } = this.node;
    const range = await findRange(checkpoints, search);
    if (range === null) return;
    yield* this.search(criterion, range);
    if (descending && range.isCut) throw await checkpoints.pruned(await checkpoints.lowest());
  }

  private search(
    criterion: Exclude<EventCriterion, { key: 'Transaction' }>,
    range: SearchedRange,
  ): Candidates {
    const { call } = this.node;
    switch (criterion.key) {
      case 'All':
      case 'TimeRange':
        return this.scan(range);
      case 'MoveModule': {
        const { packageId, module } = criterion;
        if (packageId === NATIVE_PACKAGE && module === 'native') return this.scan(range);
        const called = { package: packageId, module };
        const calls = createTransactionIndex(call, { MoveFunction: called });
        if (packageId !== SYSTEM_PACKAGE) return this.query(range, calls);
        // Those transactions have no commands, and are missing in the index of calls.
        return this.query(range, calls, createEventIndex(call, { MoveModule: called }));
      }
      case 'MoveEvent':
        return this.query(range, createEventIndex(call, { MoveEventType: criterion.type }));
      case 'EventType':
        return this.ofKind(criterion.kind, range);
      case 'Sender':
        return this.query(range, createTransactionIndex(call, { FromAddress: criterion.address }));
      case 'Recipient':
        return this.ofRecipient(criterion.owner, range);
      case 'Object':
        // The index of changed objects leaves out deleted ones, which were inputs.
        return this.query(
          range,
          createTransactionIndex(call, { ChangedObject: criterion.objectId }),
          createTransactionIndex(call, { InputObject: criterion.objectId }),
        );
    }
  }

  private ofKind(
    kind: Extract<EventCriterion, { key: 'EventType' }>['kind'],
    range: SearchedRange,
  ): Candidates {
    if (kind === 'MoveEvent') {
      return this.query(range, createEventIndex(this.node.call, { All: [] }));
    }
    return this.scan(range, kind === 'Checkpoint' || kind === 'EpochChange');
  }

  private ofRecipient(owner: Owner, range: SearchedRange): Candidates {
    if (typeof owner !== 'object' || !('AddressOwner' in owner)) return this.scan(range);
    const filter = { ToAddress: owner.AddressOwner };
    return this.query(range, createTransactionIndex(this.node.call, filter));
  }

  private async *findTransaction(digestInBase64: string, descending: boolean): Candidates {
    const found = await this.locate(digestInBase58(digestInBase64));
    if (found) yield* this.load([found], { descending, startTxSeq: null });
  }

  /** Null when there is no such transaction, or not yet: a pruned node cannot tell. */
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

  private scan(range: SearchedRange, onlyLast = false): Candidates {
    return scanCheckpoints(this.node, range, { onlyLast });
  }

  /** Where the node's index is not settled yet, checkpoints are read one by one. */
  private async *query(range: SearchedRange, ...indexes: readonly NodeIndex[]): Candidates {
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

  /** The events of transactions in the order of their checkpoints, put into the order within each checkpoint. */
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
