import type { StoredEventRecord } from '@forecourt/contracts';
import { LRUCache } from 'lru-cache';
import type { CallNode } from '../call-node.js';
import { estimateRecordBytes } from '../event-source.js';
import { TransactionInconvertible, UnsupportedByUpstream } from '../upstream-errors.js';
import type { Checkpoints } from './checkpoints.js';
import { deriveRecords, firstTxSeq } from './derive-records.js';
import {
  type FetchedTransaction,
  fetchTransactions,
  splitIntoPages,
  type Unreadable,
} from './fetch-transactions.js';
import type { SearchedRange } from './find-range.js';
import {
  type CompleteTransaction,
  missingParts,
  type NodeCheckpoint,
  type NodeTransaction,
} from './node-json.js';
import type { Walk } from './walk.js';
/** One transaction's events, in ledger order. */
export type TransactionRecords = readonly StoredEventRecord[];

export type TransactionCache = LRUCache<string, TransactionRecords>;

/** A transaction to read, and the checkpoint that contains it. */
export interface SealedDigest {
  /** In base58. */
  readonly digest: string;
  readonly checkpoint: NodeCheckpoint;
  /** Position in the ledger's total order. */
  readonly txSeq: number;
}

export interface WantedTransactions {
  /** Only the last transaction of every checkpoint. */
  readonly onlyLast?: boolean;
  readonly descending?: boolean;
  /** Transactions before this position, in the direction, are not read. */
  readonly startTxSeq?: number | null;
}

/** The events of all requested transactions, or of those before the first that the node lacks or cannot show. */
export interface ReadTransactions {
  readonly records: readonly TransactionRecords[];
  readonly failure: UnsupportedByUpstream | null;
}

/** Shared by all sessions: a transaction in a checkpoint never changes. */
export function createTransactionCache(): TransactionCache {
  return new LRUCache({
    max: 5_000,
    maxSize: 32 * 2 ** 20,
    // At least 1, which the cache requires even for a transaction without events.
    sizeCalculation: (records) =>
      records.reduce((sum, record) => sum + estimateRecordBytes(record), 1),
  });
}

/** The events of a node's transactions, read in one session. */
export class Transactions {
  constructor(
    private readonly call: CallNode,
    private readonly checkpoints: Checkpoints,
    private readonly cache: TransactionCache,
  ) {}

  /** The events of the transactions in `checkpoints`, in the direction of the checkpoints. */
  inCheckpoints(
    checkpoints: readonly NodeCheckpoint[],
    { onlyLast = false, descending = false, startTxSeq = null }: WantedTransactions = {},
  ): Promise<ReadTransactions> {
    const wanted = checkpoints.flatMap((checkpoint) => {
      const first = firstTxSeq(checkpoint);
      const all = checkpoint.transactions.map((digest, index) => ({
        digest,
        checkpoint,
        txSeq: first + index,
      }));
      const some = onlyLast ? all.slice(-1) : all;
      return descending ? some.reverse() : some;
    });
    return this.read(wanted, { descending, startTxSeq });
  }

  /**
   * The events of every transaction in the range, or of the last in every checkpoint. Throws `UnsupportedByUpstream` at the
   * first that the node does not have, after all earlier ones.
   */
  async *scan(
    range: SearchedRange,
    { onlyLast = false, walk }: { readonly onlyLast?: boolean; readonly walk?: Walk } = {},
  ): AsyncGenerator<readonly TransactionRecords[]> {
    for await (const page of this.checkpoints.range(range)) {
      const { records, failure } = await this.inCheckpoints(page, { ...range, onlyLast });
      walk?.advance(page.length);
      yield records;
      if (failure) throw failure;
    }
  }

  /** The events of these transactions, in this order. */
  async read(
    sealed: readonly SealedDigest[],
    { descending = false, startTxSeq = null }: Omit<WantedTransactions, 'onlyLast'> = {},
  ): Promise<ReadTransactions> {
    // A transaction before the start must not fail the read if the node lacks it.
    const isWanted = ({ txSeq }: SealedDigest) =>
      startTxSeq === null || (descending ? txSeq <= startTxSeq : txSeq >= startTxSeq);
    const wanted = sealed.filter(isWanted);
    const cached = wanted.map(({ digest }) => this.cache.get(digest));
    const missing = wanted.filter((_one, index) => cached[index] === undefined);
    const digests = missing.map(({ digest }) => digest);
    const pages = splitIntoPages(digests).map((page) => fetchTransactions(this.call, page));
    const fetched = new Map((await Promise.all(pages)).flatMap((page) => [...page]));
    const records: TransactionRecords[] = [];
    for (const [index, one] of wanted.entries()) {
      const found = cached[index] ?? (await this.convert(one, fetched.get(one.digest)));
      if (found instanceof UnsupportedByUpstream) return { records, failure: found };
      records.push(found);
    }
    return { records, failure: null };
  }

  /** The transaction's events; the error that names it, if a second attempt at it alone also fails. */
  private async convert(
    one: SealedDigest,
    fetched: FetchedTransaction | undefined,
  ): Promise<TransactionRecords | UnsupportedByUpstream> {
    const { digest, checkpoint, txSeq } = one;
    let result = readRecords(one, fetched);
    if ('reason' in result) {
      const again = await fetchTransactions(this.call, [digest]);
      result = readRecords(one, again.get(digest));
    }
    if (!('reason' in result)) {
      this.cache.set(digest, result);
      return result;
    }
    const failure = new TransactionInconvertible(digest, txSeq, result.reason);
    if (!result.isNotFound) return failure;
    const why = await this.checkpoints.whyAbsent(Number(checkpoint.sequenceNumber), result.reason);
    return why.kind === 'pruned' ? why : failure;
  }
}

/** The events of a transaction as the node shows it. */
export function readRecords(
  { checkpoint }: Pick<SealedDigest, 'checkpoint'>,
  fetched: FetchedTransaction | undefined,
): TransactionRecords | Unreadable {
  if (fetched === undefined) {
    return { reason: 'the ledger node does not return it', isNotFound: true };
  }
  if ('reason' in fetched) return fetched;
  const reason = whyUnreadable(fetched, checkpoint);
  if (reason !== null) return { reason, isNotFound: false };
  try {
    return deriveRecords(fetched as CompleteTransaction, checkpoint);
  } catch (error) {
    return { reason: `unexpected format: ${(error as Error).message}`, isNotFound: false };
  }
}

function whyUnreadable(
  transaction: NodeTransaction,
  { sequenceNumber }: NodeCheckpoint,
): string | null {
  const { errors = [], checkpoint } = transaction;
  const missing = missingParts(transaction);
  if (missing.length > 0 || errors.length > 0) {
    const parts = missing.length > 0 ? `the ledger node leaves out ${missing.join(', ')}` : '';
    return [parts, ...errors].filter((text) => text !== '').join('; ');
  }
  // Absent while the node is still indexing it.
  if (checkpoint === undefined || checkpoint === sequenceNumber) return null;
  return `the ledger node lists it in checkpoint ${sequenceNumber} and shows it in ${checkpoint}`;
}
