import {
  type CalledMethod,
  type MethodFormat,
  type StoredEventRecord,
  compareEventIds,
  type EventId,
  nextEventId,
} from '@forecourt/contracts';
import { describeEvent, type EventTraits } from '../event-matching/event-traits.js';
import { frameText } from '@forecourt/json-rpc';
import { estimateRecordBytes } from '../upstreams/event-source.js';

/** One event for many subscribers: values that all of them need are computed once, on first use. */
export class SharedRecord {
  #traits: EventTraits | undefined;
  readonly #texts = new Map<MethodFormat, string>();
  readonly #frames = new Map<string, Buffer>();

  constructor(readonly record: StoredEventRecord) {}

  get traits(): EventTraits {
    return (this.#traits ??= describeEvent(this.record.event));
  }

  /**
   * The notification as a WebSocket frame. Subscription ids are counted per connection, so most subscribers
   * share a few ids and with them the frames. Throws -32000 if the node has left out an attribute of the
   * format.
   */
  frame({ name, format }: CalledMethod, subscription: number): Buffer {
    const key = `${name}:${subscription}`;
    let frame = this.#frames.get(key);
    if (frame === undefined) {
      frame = frameText(
        `{"jsonrpc":"2.0","method":"${name}","params":{"subscription":${subscription},"result":${this.text(format)}}}`,
      );
      this.#frames.set(key, frame);
    }
    return frame;
  }

  /** To be called after the event has been sent: the frames need far more memory than the event. */
  releaseFrames(): void {
    this.#frames.clear();
  }

  private text(format: MethodFormat): string {
    let text = this.#texts.get(format);
    if (text === undefined) {
      text = JSON.stringify(format.writeRecord(this.record));
      this.#texts.set(format, text);
    }
    return text;
  }
}

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
