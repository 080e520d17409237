import type { StoredEventRecord } from '@forecourt/contracts';
import { LRUCache } from 'lru-cache';
import type { NodeCheckpoint, NodeClient, ShownPart, ShownTransaction } from '@forecourt/ledger';
import { estimateRecordBytes } from '../event-source.js';
import { TransactionInconvertible } from '../transaction-inconvertible.js';
import { UnsupportedByUpstream } from '../unsupported-by-upstream.js';
import { isNotFound, isUnreadable } from '../node-refused.js';
import type { Checkpoints, SearchedRange } from './checkpoints.js';
import {
  deriveRecords,
  emptyRecord,
  endOf,
  type EndRecord,
  firstTxSeq,
  type CompleteTransaction,
  missingParts,
  type NodeTransaction,
} from './derive-records.js';

/** One transaction's events, in ledger order. */
export type TransactionRecords = readonly StoredEventRecord[];

type TransactionCache = LRUCache<string, TransactionRecords>;

/** A transaction to read, and the checkpoint that contains it. */
export interface SealedDigest {
  /** In base58. */
  readonly digest: string;
  readonly checkpoint: NodeCheckpoint;
  /** Position in the ledger's total order. */
  readonly txSeq: number;
}

interface WantedTransactions {
  /** Only the last transaction of every checkpoint. */
  readonly onlyLast?: boolean;
  readonly descending?: boolean;
  /** Transactions before this position, in the direction, are not read. */
  readonly startTxSeq?: number | null;
  /** The events of checkpoints without transactions, too, each as if it were of a transaction. */
  readonly withEmpty?: boolean;
}

/**
 * The events of all requested transactions, or of those before the first that the node lacks or cannot show.
 */
interface ReadTransactions {
  readonly records: readonly TransactionRecords[];
  readonly failure: UnsupportedByUpstream | null;
}

/** The events of checkpoints. */
interface ReadCheckpoints extends ReadTransactions {
  /** How many of the checkpoints are read completely. */
  readonly complete: number;
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
    private readonly client: NodeClient,
    private readonly checkpoints: Checkpoints,
    private readonly cache: TransactionCache,
  ) {}

  /** The events of the transactions in `checkpoints`, in the direction of the checkpoints. */
  async inCheckpoints(
    checkpoints: readonly NodeCheckpoint[],
    scope: WantedTransactions = {},
  ): Promise<ReadCheckpoints> {
    const { onlyLast = false, descending = false, startTxSeq = null, withEmpty = false } = scope;
    const digests = checkpoints.map((checkpoint) => {
      const first = firstTxSeq(checkpoint);
      const all = checkpoint.transactions
        .map((digest, index) => ({ digest, checkpoint, txSeq: first + index }))
        .slice(onlyLast ? -1 : 0)
        .filter(({ txSeq }) => isWanted(txSeq, { descending, startTxSeq }));
      return descending ? all.reverse() : all;
    });
    const { records, failure } = await this.read(digests.flat());
    const read: TransactionRecords[] = [];
    let position = 0;
    for (const [complete, checkpoint] of checkpoints.entries()) {
      const count = digests[complete]!.length;
      const some = records.slice(position, position + count);
      position += count;
      read.push(...some);
      if (some.length < count) return { records: read, failure, complete };
      const total = Number(checkpoint.networkTotalTransactions);
      if (checkpoint.transactions.length > 0 || !withEmpty) continue;
      if (!isWanted(total - 1, { descending, startTxSeq })) continue;
      const end = await this.findEnd(checkpoint);
      if (end instanceof UnsupportedByUpstream) return { records: read, failure: end, complete };
      read.push([emptyRecord(checkpoint, end)]);
    }
    return { records: read, failure, complete: checkpoints.length };
  }

  /** The event of the last checkpoint before an empty one that has transactions. */
  async findEnd(empty: NodeCheckpoint): Promise<EndRecord | UnsupportedByUpstream> {
    const total = Number(empty.networkTotalTransactions);
    const known = this.checkpoints.known.ends.get(total);
    if (known !== undefined) return known;
    try {
      const checkpoint = await this.checkpoints.lastFilled(empty);
      const digest = checkpoint.transactions.at(-1)!;
      const { records, failure } = await this.read([{ digest, checkpoint, txSeq: total - 1 }]);
      return failure ?? endOf(records.flat())!;
    } catch (error) {
      if (error instanceof UnsupportedByUpstream) return error;
      throw error;
    }
  }

  /**
   * The events of the wanted transactions in the range. Throws `UnsupportedByUpstream` at the first that the
   * node does not have, after all earlier ones. `onRead` is called with the number of checkpoints of each
   * page.
   */
  async *scan(
    range: SearchedRange,
    scope: Pick<WantedTransactions, 'onlyLast' | 'withEmpty'> = {},
    onRead: (checkpoints: number) => void = () => undefined,
  ): AsyncGenerator<readonly TransactionRecords[]> {
    for await (const page of this.checkpoints.range(range)) {
      const { records, failure } = await this.inCheckpoints(page, { ...range, ...scope });
      onRead(page.length);
      yield records;
      if (failure) throw failure;
    }
  }

  /** The events of these transactions, in this order. */
  async read(transactions: readonly SealedDigest[]): Promise<ReadTransactions> {
    const cached = transactions.map(({ digest }) => this.cache.get(digest));
    const missing = transactions.filter((_one, index) => cached[index] === undefined);
    const digests = missing.map(({ digest }) => digest);
    const pages = splitIntoPages(digests).map((page) => fetchTransactions(this.client, page));
    const fetched = new Map((await Promise.all(pages)).flatMap((page) => [...page]));
    const records: TransactionRecords[] = [];
    for (const [index, one] of transactions.entries()) {
      const events = cached[index] ?? (await this.convert(one, fetched.get(one.digest)));
      if (events instanceof UnsupportedByUpstream) return { records, failure: events };
      const end = endOf(events);
      if (end !== null) this.checkpoints.known.ends.set(end.id.txSeq + 1, end);
      records.push(events);
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
      const again = await fetchTransactions(this.client, [digest]);
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

/** Whether a read includes a transaction: one before the start must not fail it if the node lacks it. */
export function isWanted(
  txSeq: number,
  { descending, startTxSeq }: Required<Pick<WantedTransactions, 'descending' | 'startTxSeq'>>,
): boolean {
  return startTxSeq === null || (descending ? txSeq <= startTxSeq : txSeq >= startTxSeq);
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

/** Maximum number of transactions or events in one call to a node. */
export const NODE_PAGE = 50;

export function splitIntoPages<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / NODE_PAGE) }, (_, page) =>
    items.slice(page * NODE_PAGE, (page + 1) * NODE_PAGE),
  );
}

/** The parts of a transaction to request from a node. */
export const SHOWN: readonly ShownPart[] = ['input', 'effects', 'events', 'objectChanges'];

/** A transaction that the node does not return. */
interface Unreadable {
  readonly reason: string;
  /** The node reports that it does not have it. */
  readonly isNotFound: boolean;
}

type FetchedTransaction = NodeTransaction | Unreadable;

/**
 * The node's transactions by digest, with all parts that it can show. A node refuses a whole page because of
 * one transaction that it cannot show: the page is halved, down to that one. Transactions after the first
 * such one may be left out, since events are used in order.
 */
async function fetchTransactions(
  client: NodeClient,
  digests: readonly string[],
): Promise<Map<string, FetchedTransaction>> {
  try {
    const page = await client.getTransactions(digests, SHOWN);
    const transactions = page.filter((one) => one !== null) as NodeTransaction[];
    return new Map(transactions.map((one) => [one.digest, one]));
  } catch (error) {
    if (!isNotFound(error) && !isUnreadable(error)) throw error;
    const [digest] = digests;
    if (digests.length === 1) {
      return new Map([[digest!, { reason: error.message, isNotFound: isNotFound(error) }]]);
    }
    const middle = Math.ceil(digests.length / 2);
    const firstHalf = await fetchTransactions(client, digests.slice(0, middle));
    if ([...firstHalf.values()].some((one) => 'reason' in one)) return firstHalf;
    return new Map([...firstHalf, ...(await fetchTransactions(client, digests.slice(middle)))]);
  }
}

/** A transaction and the number of the checkpoint that contains it. */
export interface LocatedTransaction {
  /** In base58. */
  readonly digest: string;
  readonly checkpoint: number;
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
  { client, places }: { readonly client: NodeClient; readonly places: KnownPlaces },
  digests: readonly string[],
): Promise<LocatedTransaction[]> {
  const located: LocatedTransaction[] = [];
  const unknown: string[] = [];
  for (const digest of new Set(digests)) {
    const checkpoint = places.get(digest);
    if (checkpoint === undefined) unknown.push(digest);
    else located.push({ digest, checkpoint });
  }
  const pages = splitIntoPages(unknown).map((page) => locatePage(client, page));
  for (const one of (await Promise.all(pages)).flat()) {
    places.set(one.digest, one.checkpoint);
    located.push(one);
  }
  return located;
}

/**
 * The position of one transaction; null while it is not sealed. Throws the node's refusal if it does not know
 * it.
 */
export async function locateTransaction(
  client: NodeClient,
  digest: string,
): Promise<LocatedTransaction | null> {
  return readPlaces([await client.getTransaction(digest, [])])[0] ?? null;
}

/**
 * The first of the digests that the node does not know; null if it knows all, so that those without a
 * checkpoint are not sealed yet. `digests` fit into one page.
 */
export async function findUnknown(
  client: NodeClient,
  digests: readonly string[],
): Promise<string | null> {
  try {
    const answer = await client.getTransactions(digests, ['input']);
    const known = answer.filter((one) => one?.transaction != null);
    const knownDigests = new Set(known.map((one) => one!.digest));
    return digests.find((digest) => !knownDigests.has(digest)) ?? null;
  } catch (error) {
    if (isNotFound(error)) return digests[0] ?? null;
    throw error;
  }
}

async function locatePage(
  client: NodeClient,
  digests: readonly string[],
): Promise<LocatedTransaction[]> {
  try {
    return readPlaces(await client.getTransactions(digests, []));
  } catch (error) {
    // Some nodes refuse a page because of one digest that they have pruned.
    if (!isNotFound(error)) throw error;
    if (digests.length === 1) return [];
    const middle = Math.ceil(digests.length / 2);
    const halves = [digests.slice(0, middle), digests.slice(middle)];
    return (await Promise.all(halves.map((half) => locatePage(client, half)))).flat();
  }
}

function readPlaces(answer: readonly (ShownTransaction | null)[]): LocatedTransaction[] {
  return answer.flatMap((one) =>
    one?.checkpoint == null ? [] : [{ digest: one.digest, checkpoint: Number(one.checkpoint) }],
  );
}
