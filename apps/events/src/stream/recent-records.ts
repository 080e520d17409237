import { compareEventIds, type EventId, nextEventId } from '@forecourt/contracts';
import type { SharedRecord } from './shared-record.js';

/** The newest events, without a gap. A replay that has come so far goes over from queries to the live stream here. */
export class RecentRecords {
  readonly #records: SharedRecord[] = [];
  #first = 0;

  /** `from`: what the stream begins with. Keeps at least `kept` records, at most twice as many. */
  constructor(
    private from: EventId,
    private readonly kept: number,
  ) {}

  add(record: SharedRecord): void {
    this.#records.push(record);
    if (this.#records.length - this.#first > this.kept) {
      this.from = nextEventId(this.#records[this.#first]!.record.id);
      this.#first += 1;
    }
    // Cut in large pieces: taking one from the front would move all others.
    if (this.#first > this.kept) this.#records.splice(0, this.#first);
    if (this.#first > this.#records.length) this.#first = 0;
  }

  /** Everything from `from` on; null if something of it is no longer here. */
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
}
