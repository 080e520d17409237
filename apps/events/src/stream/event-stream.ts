import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import {
  compareEventIds,
  type EventId,
  FIRST_EVENT_ID,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { EventSource } from '../upstreams/event-source.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { RecentRecords } from './recent-records.js';
import { SharedRecord } from './shared-record.js';

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 5_000;
/** Kept for replays that reach the live stream. */
const KEPT_RECORDS = 4_096;
const KEPT_BYTES = 32 * 2 ** 20;

/** The position of the stream, for probes and metrics. */
export interface StreamState {
  readonly connected: boolean;
  readonly upstream: string;
  /** The newest checkpoint delivered. */
  readonly checkpoint: number | null;
  /** Milliseconds since 1970. */
  readonly lastEventAt: number | null;
}

/**
 * The one stream of all events that all subscribers share. When its upstream fails, it resumes at the next one after the
 * last event delivered, without gaps or duplicates.
 */
@Injectable()
export class EventStream implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopped = new AbortController();
  readonly #recordListeners: ((record: SharedRecord) => void)[] = [];
  readonly #resetListeners: (() => void)[] = [];
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
    @Inject(LOGGER) private readonly logger: Logger,
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

  /** The last event delivered; null when there has been none. */
  get last(): EventId | null {
    return this.#last;
  }

  /** Calls `listener` with every event, synchronously and in order. */
  onRecord(listener: (record: SharedRecord) => void): void {
    this.#recordListeners.push(listener);
  }

  /** Calls `listener` when the upstream serves a different ledger, so that subscriptions cannot be resumed. */
  onReset(listener: () => void): void {
    this.#resetListeners.push(listener);
  }

  onApplicationBootstrap(): void {
    this.#running = this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  private async run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const source = this.upstreams.current;
      const upstream = source.name;
      try {
        await this.findStart(source);
        for await (const records of source.follow(this.#next!, signal)) {
          if (!this.#connected) this.logger.info({ upstream }, 'Event stream connected');
          this.#connected = true;
          retryMs = FIRST_RETRY_MS;
          for (const record of records) this.deliver(record);
        }
      } catch (error) {
        this.#connected = false;
        if (signal.aborted) return;
        this.logger.warn(
          { upstream, error: (error as Error).message },
          'Event stream disconnected, reconnecting',
        );
        this.upstreams.failOver(source, error);
        await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
  }

  /** Determines where to resume, and checks that the upstream serves the same ledger as before. */
  private async findStart(source: EventSource): Promise<void> {
    const identity = await source.ledgerIdentity();
    const isOther = identity !== null && this.#identity !== null && identity !== this.#identity;
    if (isOther) {
      this.logger.error(
        { upstream: source.name },
        'Upstream serves a different ledger than before, ending all subscriptions',
      );
      this.#next = null;
      for (const listener of this.#resetListeners) listener();
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

  private deliver(record: StoredEventRecord): void {
    if (compareEventIds(record.id, this.#next!) < 0) return;
    const shared = new SharedRecord(record);
    this.#recent!.add(shared);
    this.#last = record.id;
    this.#next = nextEventId(record.id);
    this.#lastEventAt = record.timestamp;
    if ('checkpoint' in record.event) this.#checkpoint = record.event.checkpoint;
    for (const listener of this.#recordListeners) listener(shared);
  }
}
