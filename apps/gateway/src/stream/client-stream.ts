import { Readable } from 'node:stream';
import type { RecordFilters, StreamPlaces, Viewer } from '@forecourt/contracts';
import type { StreamEventType } from '@forecourt/contracts/http';
import { CLIENT_LEFT } from '@forecourt/json-rpc';
import { maySee, passesFilters } from '@forecourt/sponsorship';
import type { FeedListener } from './change-feed.js';
import type { StreamedRecord } from './change-reader.js';
import type { StreamEvent } from './stream-event.js';
import { haveReached } from './stream-places.js';

/** A client for which this much waits reads too slowly: it is cut off, and resumes when it can. */
const MOST_UNREAD_BYTES = 1_048_576;

/** The events that a client asks for. */
export interface Wanted {
  readonly types: ReadonlySet<StreamEventType>;
  readonly filters: Pick<RecordFilters, 'token' | 'user' | 'sender' | 'status'>;
}

/** The stream of one client: what it may see and has asked for, within a bound of memory. */
export class ClientStream implements FeedListener {
  readonly output: Readable;
  #phase: 'catching up' | 'ahead of the feed' | 'live' = 'catching up';
  #reached: StreamPlaces = {};
  #isEnded = false;
  #isFull = false;
  #drained: () => void = () => undefined;
  readonly #left = new AbortController();

  constructor(
    readonly viewer: Viewer,
    private readonly wanted: Wanted,
  ) {
    this.output = new Readable({
      read: () => {
        this.#isFull = false;
        this.#drained();
      },
    });
    this.output.once('close', () => {
      this.#drained();
      this.#left.abort(CLIENT_LEFT);
    });
  }

  /** Aborted when the client has left. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  get isOver(): boolean {
    return this.#isEnded || this.output.destroyed;
  }

  wants(type: StreamEventType): boolean {
    return this.wanted.types.has(type);
  }

  /** From now on, what the feed brings is shown, but for what the client has seen. It may be ahead of the feed. */
  follow(reached: StreamPlaces): void {
    this.#phase = 'ahead of the feed';
    this.#reached = reached;
  }

  /** Whether the client is where the feed is. */
  isLiveAt(places: StreamPlaces): boolean {
    if (this.#phase === 'ahead of the feed' && haveReached(places, this.#reached)) {
      this.#phase = 'live';
      this.#reached = {};
    }
    return this.#phase === 'live';
  }

  receive(event: StreamEvent): void {
    if (this.#phase === 'catching up' || event.isUpTo(this.#reached)) return;
    const reached = this.#reached;
    this.show(this.isLiveAt(event.places) ? event : event.after(reached));
  }

  /** Shows an event, if the client wants it and may see it; gaps concern everybody. */
  show(event: StreamEvent): void {
    if (event.record === null || this.accepts(event.record)) this.write(event.bytes);
  }

  write(text: string | Buffer): void {
    if (this.isOver) return;
    this.#isFull = !this.output.push(text);
    if (this.output.readableLength > MOST_UNREAD_BYTES) this.output.destroy();
  }

  /** Resolves when the client has taken most of what was written, or has left. */
  async untilRead(): Promise<void> {
    if (!this.#isFull || this.isOver) return;
    await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  /** Ends the stream in order. */
  end(): void {
    if (this.isOver) return;
    this.#isEnded = true;
    this.output.push(null);
  }

  private accepts({ type, data }: StreamedRecord): boolean {
    if (!this.wants(type) || !maySee(this.viewer, data)) return false;
    const { filters } = this.wanted;
    if (type === 'sponsorship') return passesFilters(data, filters);
    return (['token', 'user', 'sender'] as const).every(
      (name) => filters[name] === undefined || filters[name] === data[name],
    );
  }
}
