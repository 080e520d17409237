import type { StoredEventRecord } from '@forecourt/contracts';
import { estimateRecordBytes } from '../../upstreams/event-source.js';
import { type Place, placeAfter, positionOfRecord } from '../store/place.js';

/** The events of whole checkpoints that follow one another. */
export interface CheckpointBatch {
  /** The place of the first checkpoint. */
  readonly first: Place;
  /** The place after the last one. */
  readonly end: Place;
  /** Time of the last one, in ms. */
  readonly at: number;
  readonly records: readonly StoredEventRecord[];
}

/** Where the records of a checkpoint end. */
interface Boundary {
  readonly end: Place;
  readonly at: number;
  /** Records up to and including its last, since the gatherer began. */
  readonly records: number;
}

/** Bounds of the memory and of the transaction of one batch. */
const BATCH_RECORDS = 5_000;

/** Gathers records, which arrive in any portions, into whole checkpoints. */
export class CheckpointGatherer {
  #records: StoredEventRecord[] = [];
  #boundaries: Boundary[] = [];
  #taken = 0;
  #added = 0;
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

  /** Throws `Error` unless they continue the ledger's order: whatever a node sends, nothing is written twice or out of order. */
  add(records: readonly StoredEventRecord[]): void {
    for (const record of records) {
      const position = positionOfRecord(record);
      if (position < this.#next.position) {
        throw new Error(
          `The node sent the event ${position} after the events before ${this.#next.position}`,
        );
      }
      this.#next = { ...this.#next, position: position + 1 };
      this.#records.push(record);
      this.#added += 1;
      this.#bytes += estimateRecordBytes(record);
      if ('checkpoint' in record.event) this.close(record, record.event.checkpoint);
    }
  }

  /** The oldest whole checkpoints; null if there are none. */
  take(): CheckpointBatch | null {
    const [oldest] = this.#boundaries;
    if (oldest === undefined) return null;
    const fitting = this.#boundaries.findLastIndex(
      ({ records }) => records - this.#taken <= BATCH_RECORDS,
    );
    const count = Math.max(0, fitting) + 1;
    const last = this.#boundaries[count - 1]!;
    const records = this.#records.splice(0, last.records - this.#taken);
    for (const record of records) this.#bytes -= estimateRecordBytes(record);
    this.#boundaries.splice(0, count);
    this.#taken = last.records;
    const batch = { first: this.#first, end: last.end, at: last.at, records };
    this.#first = last.end;
    return batch;
  }

  private close(record: StoredEventRecord, checkpoint: number): void {
    // A checkpoint without transactions has no event, so numbers may be skipped.
    if (checkpoint < this.#next.checkpoint) {
      throw new Error(
        `The node sent checkpoint ${checkpoint} where ${this.#next.checkpoint} follows`,
      );
    }
    this.#next = placeAfter(record, checkpoint);
    this.#boundaries.push({ end: this.#next, at: record.timestamp, records: this.#added });
  }
}
