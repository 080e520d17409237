import { compareEventIds, type EventId, nextEventId } from '@forecourt/contracts';
import { estimateRecordBytes } from '../upstreams/event-source.js';
import { SharedRecord } from './shared-record.js';

/** The newest events without gaps, which let a replay switch from queries to the live stream. */
export class RecentRecords {
  readonly #records: SharedRecord[] = [];
  #first = 0;
  #bytes = 0;

  /** `from` is the first event of the stream. Keeps `kept` records, or fewer if they exceed `keptBytes`. */
  constructor(
    private from: EventId,
    private readonly kept: number,
    private readonly keptBytes = Infinity,
  ) {}

  add(record: SharedRecord): void {
    this.#records.push(record);
    this.#bytes += estimateRecordBytes(record.record);
    while (this.count > this.kept || (this.#bytes > this.keptBytes && this.count > 1)) {
      this.dropOldest();
    }
    // Removes many records at once, because every removal moves all the others.
    if (this.#first > this.count) {
      this.#records.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** All records from `from` on; null if some are no longer kept. */
  since(from: EventId): readonly SharedRecord[] | null {
    if (compareEventIds(from, this.from) < 0) return null;
    let low = this.#first;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareEventIds(this.#records[middle]!.record.id, from) < 0) low = middle + 1;
      else high = middle;
    }
    return this.#records.slice(low);
  }

  private get count(): number {
    return this.#records.length - this.#first;
  }

  private dropOldest(): void {
    const { record } = this.#records[this.#first]!;
    this.from = nextEventId(record.id);
    this.#bytes -= estimateRecordBytes(record);
    this.#first += 1;
  }
}
