import { setTimeout as sleep } from 'node:timers/promises';
import {
  compareEventIds,
  type EventId,
  FIRST_EVENT_ID,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import type { Logger } from '@forecourt/runtime/service';
import type { EventSource } from '../upstreams/event-source.js';
import type { Upstreams } from '../upstreams/upstreams.js';
import { RecentRecords } from './recent-records.js';
import { SharedRecord } from './shared-record.js';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5_000;
/** Kept for replays that reach the live stream. */
const KEPT_RECORDS = 4_096;
const KEPT_BYTES = 32 * 2 ** 20;

export interface StreamListener {
  onRecord(record: SharedRecord): void;
  /** The upstream serves another ledger now: what was followed has no continuation. */
  onReset(): void;
}

/** Where the stream stands, for the probes. */
export interface StreamState {
  readonly connected: boolean;
  readonly upstream: string;
  /** Newest checkpoint that went through the stream. */
  readonly checkpoint: number | null;
  /** Milliseconds since 1970. */
  readonly lastEventAt: number | null;
}

/**
 * The one stream of all events that every subscriber shares. It survives its upstream: it goes on with the next one,
 * after the last event that went through, without a gap or a double.
 */
export class EventStream {
  readonly #stopped = new AbortController();
  #next: EventId | null = null;
  #last: EventId | null = null;
  #recent: RecentRecords | null = null;
  #identity: string | null = null;
  #connected = false;
  #checkpoint: number | null = null;
  #lastEventAt: number | null = null;
  #running: Promise<void> | null = null;

  constructor(
    private readonly upstreams: Upstreams,
    private readonly logger: Logger,
    private readonly listener: StreamListener,
  ) {}

  get state(): StreamState {
    return {
      connected: this.#connected,
      upstream: this.upstreams.current.name,
      checkpoint: this.#checkpoint,
      lastEventAt: this.#lastEventAt,
    };
  }

  /** Null until an upstream has been reached for the first time. */
  get recent(): RecentRecords | null {
    return this.#recent;
  }

  /** The last event that went through; null when none has. */
  get last(): EventId | null {
    return this.#last;
  }

  start(): void {
    this.#running ??= this.run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  private async run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const source = this.upstreams.current;
      try {
        await this.begin(source);
        for await (const records of source.follow(this.#next!, signal)) {
          if (!this.#connected) this.logger.info({ upstream: source.name }, 'following');
          this.#connected = true;
          retryMs = FIRST_RETRY_MS;
          for (const record of records) this.accept(record);
        }
      } catch (error) {
        this.#connected = false;
        if (signal.aborted) return;
        this.logger.warn({ upstream: source.name, error: (error as Error).message }, 'stream lost');
        this.upstreams.giveUp(source, error);
        await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
  }

  /** Finds where to go on, and makes sure that it is the same ledger. */
  private async begin(source: EventSource): Promise<void> {
    const identity = await source.ledgerIdentity();
    const isOther = identity !== null && this.#identity !== null && identity !== this.#identity;
    if (isOther) {
      this.logger.error(
        { upstream: source.name },
        'the upstream serves another ledger than before',
      );
      this.#next = null;
      this.listener.onReset();
    }
    this.#identity = identity ?? this.#identity;
    if (this.#next !== null) return;
    const newest = await source.newest();
    this.#last = newest?.id ?? null;
    this.#next = newest ? nextEventId(newest.id) : FIRST_EVENT_ID;
    this.#recent = new RecentRecords(this.#next, KEPT_RECORDS, KEPT_BYTES);
    this.#checkpoint = await source.latestCheckpoint();
    this.#lastEventAt = newest?.timestamp ?? null;
  }

  private accept(record: StoredEventRecord): void {
    if (compareEventIds(record.id, this.#next!) < 0) return;
    const shared = new SharedRecord(record);
    this.#recent!.add(shared);
    this.#last = record.id;
    this.#next = nextEventId(record.id);
    this.#lastEventAt = record.timestamp;
    if ('checkpoint' in record.event) this.#checkpoint = record.event.checkpoint;
    this.listener.onRecord(shared);
  }
}
