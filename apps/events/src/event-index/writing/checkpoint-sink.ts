import type { StoredEventRecord } from '@forecourt/contracts';
import { estimateRecordBytes } from '../../upstreams/event-source.js';
import { type Place, placeAfter, positionOf, positionOfRecord } from '../store/indexed-ledger.js';

/** Records that may wait: while one batch is written, the next is read. */
const MAX_WAITING_BYTES = 16 * 2 ** 20;

/** Writes gathered checkpoints in order, one batch at a time, while further records arrive. */
export class CheckpointSink {
  readonly #gatherer: CheckpointGatherer;
  readonly #failed = new AbortController();
  #writing: Promise<void> | null = null;

  constructor(
    first: Place,
    private readonly write: (batch: CheckpointBatch) => Promise<void>,
  ) {
    this.#gatherer = new CheckpointGatherer(first);
  }

  /** Aborts, with the error, when a batch cannot be written. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Whether records wait while others are written. */
  get isBehind(): boolean {
    return this.#writing !== null && this.#gatherer.bytes > 0;
  }

  /**
   * Resolves when there is room for more. Throws the error of an earlier write, or an `Error` about the order
   * of records.
   */
  async push(records: readonly StoredEventRecord[]): Promise<void> {
    this.#failed.signal.throwIfAborted();
    this.#gatherer.add(records);
    this.#writing ??= this.writeAll().finally(() => (this.#writing = null));
    if (this.#gatherer.bytes <= MAX_WAITING_BYTES) return;
    await this.#writing;
    this.#failed.signal.throwIfAborted();
  }

  /** Resolves when every whole checkpoint is written, or one cannot be. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Never rejects. */
  private async writeAll(): Promise<void> {
    try {
      for (;;) {
        const batch = this.#gatherer.take();
        if (batch === null) return;
        await this.write(batch);
      }
    } catch (error) {
      this.#failed.abort(error);
    }
  }
}

/** The events of whole checkpoints that follow one another. */
export interface CheckpointBatch {
  /** The place of the first checkpoint. */
  readonly first: Place;
  /** The place after the last one. */
  readonly end: Place;
  /** Time of the last one, in ms. */
  readonly endAt: number;
  readonly records: readonly StoredEventRecord[];
  /** The events of checkpoints without transactions. */
  readonly empty: readonly StoredEventRecord[];
}

/** Where the records of a checkpoint end. */
interface Boundary {
  readonly end: Place;
  readonly time: number;
  /** Records up to and including its last, since the gatherer began. */
  readonly records: number;
  /** Those of empty checkpoints. */
  readonly empty: number;
}

/** Bounds of the memory and of the transaction of one batch. */
const BATCH_RECORDS = 5_000;

/** Gathers records, which arrive in any portions, into whole checkpoints. */
class CheckpointGatherer {
  #records: StoredEventRecord[] = [];
  #empty: StoredEventRecord[] = [];
  #boundaries: Boundary[] = [];
  #taken = { records: 0, empty: 0 };
  #added = { records: 0, empty: 0 };
  #bytes = 0;
  #first: Place;
  #next: Place;

  /** `first`: where the records begin. */
  constructor(first: Place) {
    this.#first = first;
    this.#next = first;
  }

  /** An estimate of the records' memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Throws `Error` unless they continue the ledger's order: whatever a node sends, nothing is written twice
   * or out of order.
   */
  add(records: readonly StoredEventRecord[]): void {
    for (const record of records) {
      const position = positionOfRecord(record);
      if (position < this.#next.position) {
        if (this.addEmpty(record)) continue;
        throw new Error(
          `The node sent the event ${position} after the events before ${this.#next.position}`,
        );
      }
      this.#next = { ...this.#next, position: position + 1 };
      this.#records.push(record);
      this.#added.records += 1;
      this.#bytes += estimateRecordBytes(record);
      if ('checkpoint' in record.event) this.close(record, record.event.checkpoint);
    }
  }

  /** False: it is not the event of the next checkpoint, without transactions. */
  private addEmpty(record: StoredEventRecord): boolean {
    const { id, event } = record;
    const isLast = positionOf(id.txSeq + 1) === this.#next.position;
    if (!isLast || !('checkpoint' in event) || event.checkpoint < this.#next.checkpoint)
      return false;
    this.#empty.push(record);
    this.#added.empty += 1;
    this.#bytes += estimateRecordBytes(record);
    this.close(record, event.checkpoint);
    return true;
  }

  /** The oldest whole checkpoints; null if there are none. */
  take(): CheckpointBatch | null {
    const [oldest] = this.#boundaries;
    if (oldest === undefined) return null;
    const fitting = this.#boundaries.findLastIndex(
      ({ records, empty }) =>
        records + empty - this.#taken.records - this.#taken.empty <= BATCH_RECORDS,
    );
    const count = Math.max(0, fitting) + 1;
    const last = this.#boundaries[count - 1]!;
    const records = this.#records.splice(0, last.records - this.#taken.records);
    const empty = this.#empty.splice(0, last.empty - this.#taken.empty);
    for (const record of [...records, ...empty]) this.#bytes -= estimateRecordBytes(record);
    this.#boundaries.splice(0, count);
    this.#taken = { records: last.records, empty: last.empty };
    const batch = { first: this.#first, end: last.end, endAt: last.time, records, empty };
    this.#first = last.end;
    return batch;
  }

  private close(record: StoredEventRecord, checkpoint: number): void {
    // Nodes of the legacy dialect may leave out checkpoints without transactions.
    if (checkpoint < this.#next.checkpoint) {
      throw new Error(
        `The node sent checkpoint ${checkpoint} where ${this.#next.checkpoint} follows`,
      );
    }
    this.#next = placeAfter(record, checkpoint);
    this.#boundaries.push({ end: this.#next, time: record.timestamp, ...this.#added });
  }
}
