import { bcs } from '@iota/iota-sdk/bcs';
import type {
  EventRecord,
  ExecutedTransaction,
  Listing,
  TransactionData,
  CheckpointRecord,
} from './engine-interface.js';

type Draft = Omit<ExecutedTransaction, 'sequence' | 'checkpoint'>;

/**
 * One record of the log. Its data is parsed from its bytes on demand: stored, it would take half of the
 * memory.
 */
class StoredTransaction implements ExecutedTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
  readonly effects: ExecutedTransaction['effects'];
  readonly events: readonly EventRecord[];
  readonly objectChanges: ExecutedTransaction['objectChanges'];
  readonly balanceChanges: ExecutedTransaction['balanceChanges'];
  readonly timestampMs: number;
  checkpoint: number | null = null;

  constructor(
    draft: Draft,
    readonly sequence: number,
  ) {
    this.digest = draft.digest;
    this.bytes = draft.bytes;
    this.signatures = draft.signatures;
    this.effects = draft.effects;
    this.events = draft.events;
    this.objectChanges = draft.objectChanges;
    this.balanceChanges = draft.balanceChanges;
    this.timestampMs = draft.timestampMs;
  }

  get data(): TransactionData {
    return bcs.TransactionData.parse(this.bytes).V1;
  }
}

/** Executed transactions in ledger order; beyond `kept` the oldest are dropped. */
export class TransactionLog {
  readonly #bySequence = new Map<number, StoredTransaction>();
  readonly #byDigest = new Map<string, StoredTransaction>();
  #first = 0;
  #next = 0;

  constructor(
    private readonly kept: number,
    private readonly onDropped: (transaction: ExecutedTransaction) => void,
  ) {}

  /** Number of transactions ever added. */
  get count(): number {
    return this.#next;
  }

  add(transaction: Draft): ExecutedTransaction {
    const stored = new StoredTransaction(transaction, this.#next++);
    this.#bySequence.set(stored.sequence, stored);
    this.#byDigest.set(stored.digest, stored);
    this.dropBelow(this.#next - this.kept);
    return stored;
  }

  /** Drops the transactions before this position. */
  dropBelow(sequence: number): void {
    while (this.#first < sequence && this.#first < this.#next) this.dropOldest();
  }

  private dropOldest(): void {
    const oldest = this.#bySequence.get(this.#first);
    this.#bySequence.delete(this.#first++);
    if (!oldest) return;
    this.#byDigest.delete(oldest.digest);
    this.onDropped(oldest);
  }

  setCheckpoint(digest: string, sequenceNumber: number): void {
    const stored = this.#byDigest.get(digest);
    if (stored) stored.checkpoint = sequenceNumber;
  }

  find(digest: string): ExecutedTransaction | null {
    return this.#byDigest.get(digest) ?? null;
  }

  list({ after, limit, descending = false }: Listing): ExecutedTransaction[] {
    const matching: ExecutedTransaction[] = [];
    for (const transaction of this.walk(after, descending)) {
      if (matching.length >= limit) break;
      matching.push(transaction);
    }
    return matching;
  }

  /** All transactions after `after`, in either direction. */
  private *walk(after: number | undefined, descending: boolean): Generator<ExecutedTransaction> {
    const step = descending ? -1 : 1;
    let sequence = after === undefined ? (descending ? this.#next - 1 : this.#first) : after + step;
    sequence = descending ? Math.min(sequence, this.#next - 1) : Math.max(sequence, this.#first);
    for (; sequence >= this.#first && sequence < this.#next; sequence += step) {
      yield this.#bySequence.get(sequence)!;
    }
  }
}

interface Log<T> {
  list(listing: Listing): readonly T[];
}

/** Lists transactions as if the ledger had only the first `count`. */
export function listTransactionsUntil(
  log: Log<ExecutedTransaction>,
  count: number,
  listing: Listing,
): readonly ExecutedTransaction[] {
  return log.list(startingBelow(count, listing)).filter(({ sequence }) => sequence < count);
}

/** Lists checkpoints as if `last` were the newest. */
export function listCheckpointsUntil(
  log: Log<CheckpointRecord>,
  last: number,
  listing: Listing,
): readonly CheckpointRecord[] {
  return log
    .list(startingBelow(last + 1, listing))
    .filter(({ sequenceNumber }) => sequenceNumber <= last);
}

function startingBelow(end: number, listing: Listing): Listing {
  if (!listing.descending) return listing;
  return { ...listing, after: Math.min(listing.after ?? end, end) };
}
