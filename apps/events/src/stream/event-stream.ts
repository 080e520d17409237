import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import {
  compareEventIds,
  type EventId,
  FIRST_EVENT_ID,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import {
  type EventSource,
  type LedgerIdentity,
  isOtherLedger,
  mergeIdentities,
} from '../upstreams/event-source.js';
import { CheckpointChain } from '../upstreams/checkpoint-chain.js';
import type { SealedCheckpoint } from '../upstreams/sealed-checkpoint.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { UpstreamFailed } from '../upstreams/upstream-failed.js';
import { SharedRecord } from './shared-record.js';
import { RecentRecords } from './recent-records.js';
import { StreamDemand } from './stream-demand.js';
import { DeadEnds } from './dead-ends.js';

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 5_000;
/** Bounds of the records that are kept for replays that reach the live stream. */
const KEPT_RECORDS = 4_096;
const KEPT_BYTES = 32 * 2 ** 20;
/**
 * How often an idle stream asks its upstream for the newest event, which also notices an upstream that is
 * down.
 */
const IDLE_CHECK_MS = 5_000;
/** How long the stream follows the ledger after its last subscription has ended. */
const LINGER_MS = 30_000;

/** The position of the stream, for probes and metrics. */
export interface StreamState {
  readonly connected: boolean;
  /** Whether it has been connected since the service started. */
  readonly hasBegun: boolean;
  /**
   * Whether it reads every event, because a subscription needs it; an idle stream only moves to the newest
   * event.
   */
  readonly following: boolean;
  readonly upstream: string;
  /** The reason why the stream is not connected; null while it is. */
  readonly failure: string | null;
  /** The newest checkpoint delivered. */
  readonly checkpoint: number | null;
  /** Milliseconds since 1970. */
  readonly lastEventAt: number | null;
}

/**
 * The single stream of all events, shared by all subscribers. It follows the ledger while there are any. If
 * its upstream fails, it resumes at the next one after the last delivered event, without gaps or duplicates.
 */
@Injectable()
export class EventStream implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopped = new AbortController();
  readonly #recordListeners: ((record: SharedRecord) => void)[] = [];
  readonly #resetListeners: ((reason: string) => void)[] = [];
  /** Raised and held for every subscription; without a demand the stream is idle. */
  readonly demand: StreamDemand;
  #next: EventId | null = null;
  /** The checkpoints before `#next`. */
  #chain = new CheckpointChain(null);
  #last: EventId | null = null;
  #recent: RecentRecords | null = null;
  #identity: LedgerIdentity | null = null;
  #connected = false;
  #hasBegun = false;
  #failure: string | null = null;
  readonly #deadEnds: DeadEnds;
  #checkpoint: number | null = null;
  #lastEventAt: number | null = null;

  constructor(
    private readonly upstreams: Upstreams,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() private readonly times = { idleCheckMs: IDLE_CHECK_MS, lingerMs: LINGER_MS },
  ) {
    this.demand = new StreamDemand(times.lingerMs);
    this.#deadEnds = new DeadEnds(upstreams.names.length);
  }

  get state(): StreamState {
    return {
      connected: this.#connected,
      hasBegun: this.#hasBegun,
      following: this.demand.current !== null,
      upstream: this.upstreams.current.name,
      failure: this.#failure,
      checkpoint: this.#checkpoint,
      lastEventAt: this.#lastEventAt,
    };
  }

  /**
   * Null while the beginning of the stream, or its continuation after a reset, is unknown: subscriptions are
   * refused.
   */
  get recent(): RecentRecords | null {
    return this.#recent;
  }

  /** Of the ledger that the stream follows; null: no node has been reached yet. */
  get identity(): LedgerIdentity | null {
    return this.#identity;
  }

  /** The last delivered event; null if there has been none. */
  get last(): EventId | null {
    return this.#last;
  }

  /** Calls `listener` with every event, synchronously and in order. */
  onRecord(listener: (record: SharedRecord) => void): void {
    this.#recordListeners.push(listener);
  }

  /**
   * Calls `listener` with the reason if the stream cannot resume at its position, so that subscriptions must
   * end.
   */
  onReset(listener: (reason: string) => void): void {
    this.#resetListeners.push(listener);
  }

  onApplicationBootstrap(): void {
    void this.run();
  }

  /** Does not wait: an upstream may respond later than the process must end. */
  onApplicationShutdown(): void {
    this.#stopped.abort();
  }

  private async run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const source = this.upstreams.current;
      const demand = this.demand.current;
      try {
        await this.findStart(source);
        const lowestCheckpoint = await source.lowestCheckpoint();
        const connected = () => {
          this.connected(source, lowestCheckpoint);
          retryMs = FIRST_RETRY_MS;
        };
        if (demand === null) {
          connected();
          await this.demand.wait(this.times.idleCheckMs, signal);
          continue;
        }
        if (demand.ended.aborted) continue;
        demand.fix();
        await this.follow(source, AbortSignal.any([signal, demand.ended]), connected);
      } catch (error) {
        if (signal.aborted || demand?.ended.aborted) continue;
        this.#connected = false;
        this.#failure = (error as Error).message;
        this.logger.warn(
          { upstream: source.name, error: this.#failure },
          'Event stream disconnected, reconnecting',
        );
        this.endIfStuck(error);
        this.upstreams.failOver(source, error);
        this.demand.current?.fix();
        await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
  }

  /** Delivers events until `ended` aborts, or with an error. */
  private async follow(
    source: EventSource,
    ended: AbortSignal,
    connected: () => void,
  ): Promise<void> {
    const position = () => this.#last;
    const watch = watchLedger(source, this.#identity!, position, this.times.idleCheckMs);
    const stopped = AbortSignal.any([ended, watch.changed]);
    try {
      for await (const records of source.follow(this.#next!, stopped, this.#chain)) {
        connected();
        if (records.length > 0) this.#deadEnds.clear();
        for (const record of records) this.deliver(record);
      }
    } finally {
      watch.stop();
    }
    if (!ended.aborted) watch.changed.throwIfAborted();
  }

  private connected(source: EventSource, lowestCheckpoint: number | null): void {
    if (!this.#connected) {
      this.logger.info({ upstream: source.name, lowestCheckpoint }, 'Event stream connected');
    }
    this.#connected = true;
    this.#hasBegun = true;
    this.#failure = null;
  }

  /** Determines where to resume, and checks that the upstream serves the same ledger as before. */
  private async findStart(source: EventSource): Promise<void> {
    const identity = await source.ledgerIdentity();
    const known = this.#identity;
    if (known !== null && isOtherLedger(known, identity)) {
      const what = 'Upstream serves a different ledger than before, ending all subscriptions';
      this.logger.error({ upstream: source.name }, what);
      this.reset('the ledger node serves a different ledger than before');
      this.#identity = identity;
    } else {
      this.#identity = mergeIdentities(known, identity);
    }
    if (this.#next !== null && this.demand.current?.isFixed) return;
    const { newest, chain, checkpoint } = await findTip(source, identity);
    // A balancer may now lead to an upstream that lags behind the previous one.
    if (this.#last !== null && (newest === null || compareEventIds(newest.id, this.#last) < 0)) {
      return;
    }
    this.#last = newest?.id ?? null;
    this.#next = newest ? nextEventId(newest.id) : FIRST_EVENT_ID;
    this.#chain = chain;
    this.#recent = new RecentRecords(this.#next, KEPT_RECORDS, KEPT_BYTES);
    this.#checkpoint = checkpoint;
    this.#lastEventAt = newest?.timestamp ?? null;
  }

  /** If no upstream can continue the stream, it continues with the newest event, and logs it. */
  private endIfStuck(error: unknown): void {
    const reason = this.#deadEnds.explain(error);
    if (reason === null || this.#next === null) return;
    const fields = { next: this.#next, error: reason };
    this.logger.error(fields, 'No upstream continues the stream, ending all subscriptions');
    this.reset(reason);
  }

  private reset(reason: string): void {
    this.#next = null;
    this.#chain = new CheckpointChain(null);
    this.#last = null;
    this.#recent = null;
    for (const listener of this.#resetListeners) listener(reason);
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

/** The end of a node's ledger. */
interface Tip {
  readonly newest: StoredEventRecord | null;
  /** Ends with the newest checkpoint. */
  readonly chain: CheckpointChain;
  readonly checkpoint: number | null;
}

/**
 * `identity`: of the node, before this call. Throws `UpstreamFailed` if the node serves another ledger after
 * it.
 */
async function findTip(source: EventSource, identity: LedgerIdentity): Promise<Tip> {
  const newest = await source.newest();
  const chain = new CheckpointChain(await findSealed(source, newest));
  const checkpoint = await source.latestCheckpoint();
  if (isOtherLedger(identity, await source.ledgerIdentity())) {
    throw new UpstreamFailed(`${source.name} serves several ledgers by turns`);
  }
  return { newest, chain, checkpoint };
}

/** The checkpoint that ends with an event; null: it is not known. */
async function findSealed(
  source: EventSource,
  newest: StoredEventRecord | null,
): Promise<SealedCheckpoint | null> {
  if (newest === null || !('checkpoint' in newest.event)) return null;
  const { checkpoint } = newest.event;
  for await (const [sealed] of source.checkpoints(checkpoint, checkpoint)) return sealed ?? null;
  return null;
}

interface LedgerWatch {
  /** Aborts with an `UpstreamFailed` when the node serves another ledger. */
  readonly changed: AbortSignal;
  stop(): void;
}

/**
 * Asks a node that is followed for its ledger while nothing arrives: events are linked to the ones before,
 * but a shorter ledger has none. `position`: the last event.
 */
function watchLedger(
  source: EventSource,
  known: LedgerIdentity,
  position: () => unknown,
  everyMs: number,
): LedgerWatch {
  const changed = new AbortController();
  let before = position();
  const look = async () => {
    const now = position();
    const hasAdvanced = now !== before;
    before = now;
    if (hasAdvanced || !isOtherLedger(known, await source.ledgerIdentity())) return;
    changed.abort(new UpstreamFailed(`${source.name} serves another ledger than before`));
  };
  // A node that does not answer ends the stream in its own way.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return { changed: changed.signal, stop: () => clearInterval(timer) };
}
