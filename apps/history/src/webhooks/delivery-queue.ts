import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryStatus } from '@forecourt/contracts';
import { type Counter, type Histogram, type Metrics } from '@forecourt/runtime/metrics';
import type { QueueOptions } from '@forecourt/runtime/redis';
import { OutageLog, type Logger } from '@forecourt/runtime/service';
import { Queue, Worker } from 'bullmq';
import type { DeliveryStore, DueDelivery, RecordedAttempt } from './delivery-store.js';
import type { EventStreams } from './event-streams.js';
import type { Receiver, WebhookDirectory } from './webhook-directory.js';
import { isGone, type WebhookSender } from './webhook-sender.js';

const QUEUE = 'webhooks';
/** A slow receiver occupies one turn, and little else. */
const TURNS = 1_000;
/** Receivers that failed last come after the others. */
const AFTER_OTHERS = 1;
const SWEEP_EVERY_MS = 1_000;
/** Longer than a turn. A turn whose process died is repeated after this time. */
const LOCK_MS = 30_000;
const STALLED_EVERY_MS = 5_000;
/** However often a process dies in a turn, the deliveries are still there. */
const MOST_STALLS = 1_000_000;
const ENDS_EVERY_MS = 60_000;

/** The data of a job. */
interface TurnJob {
  /** Its id. */
  readonly receiver: string;
}

export interface DeliveryQueueOptions extends QueueOptions {
  /** Time after which ended deliveries are deleted. */
  readonly retentionMs: number;
}

/**
 * The turns of receivers, shared by all replicas. A job is a receiver with due deliveries, and there is one
 * of each receiver, so that no receiver gets more than its turn, and waits for no other. PostgreSQL has the
 * deliveries: a job that is lost is added again by the sweep, which also finds repeated attempts when they
 * are due.
 */
export class DeliveryQueue {
  readonly #queue: Queue;
  readonly #worker: Worker;
  readonly #stopping = new AbortController();
  readonly #outage: OutageLog;
  /** Receivers whose turn is running here, and those among them that have got deliveries meanwhile. */
  readonly #turns = new Set<string>();
  readonly #wokenInTurn = new Set<string>();
  #sweeping: Promise<void> = Promise.resolve();
  #endsAt = 0;

  constructor(
    private readonly directory: WebhookDirectory,
    private readonly streams: EventStreams,
    private readonly store: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly metrics: WebhookMetrics,
    logger: Logger,
    private readonly options: DeliveryQueueOptions,
  ) {
    const { connection, prefix } = options;
    const shared = { connection, ...(prefix !== undefined && { prefix }) };
    this.#queue = new Queue(QUEUE, {
      ...shared,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.#worker = new Worker(QUEUE, ({ data }) => this.take(data as TurnJob), {
      ...shared,
      autorun: false,
      concurrency: TURNS,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_EVERY_MS,
      maxStalledCount: MOST_STALLS,
    });
    this.#outage = new OutageLog(logger, {
      begins: 'Webhooks cannot be delivered',
      goesOn: 'Webhooks still cannot be delivered',
      ends: 'Webhooks are delivered again',
    });
    // Without a listener, BullMQ prints errors. The service's own connection logs outages.
    const log = ({ message: error }: Error) => logger.debug({ error }, 'Queue of webhooks failed');
    this.#queue.on('error', log);
    this.#worker.on('error', log);
    // Its job is gone, so that it can be added again behind the others.
    this.#worker.on('completed', ({ data }, hasMore) => {
      const { receiver } = data as TurnJob;
      this.#turns.delete(receiver);
      if (this.#wokenInTurn.delete(receiver) || hasMore) void this.wake([receiver]);
    });
    this.#worker.on('failed', (job, { message: error }) => {
      // The sweep finds what is due.
      if (job) this.#turns.delete((job.data as TurnJob).receiver);
      logger.warn({ error }, 'Turn of a webhook failed; repeating');
    });
  }

  /** Begins to deliver. */
  start(): void {
    void this.#worker.run();
    this.#sweeping = this.sweepRegularly();
  }

  /** Receivers with new deliveries get a turn now instead of at the next sweep. Never throws. */
  async wake(receivers: Iterable<string>): Promise<void> {
    for (const id of receivers) if (this.#turns.has(id)) this.#wokenInTurn.add(id);
    await this.add([...receivers].map((id) => ({ id, failures: 0 }))).catch(() => undefined);
  }

  /** Begins no further attempt, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#sweeping, this.#worker.close()]);
    await this.#queue.close();
  }

  /** True: the receiver may have more due deliveries. */
  private async take({ receiver: id }: TurnJob): Promise<boolean> {
    const receiver = this.directory.find(id);
    // No longer configured, or not here yet.
    if (receiver === undefined) return false;
    const { store, sender, metrics } = this;
    const stopping = this.#stopping.signal;
    this.#turns.add(id);
    return new DeliveryTurn(receiver, { store, sender, metrics, stopping }).run();
  }

  private async sweepRegularly(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.sweep();
        this.#outage.end();
      } catch (error) {
        this.#outage.report({ error: (error as Error).message });
      }
      await delay(SWEEP_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async sweep(): Promise<void> {
    await this.streams.read();
    const ids = this.directory.all.map(({ id }) => id);
    if (ids.length > 0) await this.add(await this.store.findDueReceivers(ids));
    if (performance.now() >= this.#endsAt) await this.endOld();
  }

  /** Some in each sweep: deliveries that are due do not wait until all old ones are deleted. */
  private async endOld(): Promise<void> {
    await this.store.expire();
    const hasMore = await this.store.deleteOld(this.options.retentionMs);
    if (!hasMore) this.#endsAt = performance.now() + ENDS_EVERY_MS;
  }

  /** A receiver that has a job already does not get a second one. */
  private async add(receivers: readonly { id: string; failures: number }[]): Promise<void> {
    if (receivers.length === 0) return;
    const jobs = receivers.map(({ id, failures }) => ({
      name: QUEUE,
      data: { receiver: id } satisfies TurnJob,
      opts: { jobId: id, ...(failures > 0 && { priority: AFTER_OTHERS }) },
    }));
    await this.#queue.addBulk(jobs);
  }
}

/** Deliveries that a turn begins with. */
const MOST_DELIVERIES = 100;
/** No attempt begins later in a turn, so that receivers with many deliveries alternate with the others. */
const TURN_MS = 5_000;
/** Most attempts at a receiver at once; a receiver that fails gets one. */
const WIDEST = 10;
const FIRST_WIDTH = 4;
/**
 * A receiver rests after this many failures in a row, or after one if it failed before. Attempts that fail
 * together count once: they may have one cause, which passes.
 */
const FAILURES_UNTIL_REST = 3;

/** Dependencies of a turn besides its receiver. */
interface TurnParts {
  readonly store: Pick<DeliveryStore, 'findDue' | 'record' | 'noteHealth' | 'end'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly metrics: Pick<WebhookMetrics, 'countAttempt'>;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/**
 * One turn of a receiver: its due deliveries, several at once, until it fails or others should have their
 * turn.
 */
class DeliveryTurn {
  #width = FIRST_WIDTH;
  #failures = 0;
  #failuresInARow = 0;
  #endsAt = 0;
  #isGone = false;
  /** By the clock of `performance`, as all times here. */
  #succeededAt: number | null = null;
  #failedAt: number | null = null;
  /** When the last failure that counts ended. */
  #lastCountedAt = -Infinity;

  constructor(
    private readonly receiver: Receiver,
    private readonly parts: TurnParts,
  ) {}

  /**
   * True: the receiver may have more due deliveries. Throws PostgreSQL's errors; what was not recorded is
   * sent again.
   */
  async run(): Promise<boolean> {
    const { store } = this.parts;
    const due = await store.findDue(this.receiver.id, MOST_DELIVERIES);
    const waiting = [...due.deliveries];
    if (waiting.length === 0) return false;
    if (due.failures > 0) this.#width = 1;
    this.#failures = due.failures;
    this.#endsAt = performance.now() + TURN_MS;
    await this.deliverAll(waiting);
    if (this.#isGone) {
      await store.end(this.receiver);
      return false;
    }
    await this.noteHealth();
    return !this.hasFailed() && (waiting.length > 0 || due.deliveries.length === MOST_DELIVERIES);
  }

  /** Takes deliveries from the list as they begin. */
  private async deliverAll(waiting: DueDelivery[]): Promise<void> {
    const running = new Set<Promise<void>>();
    const begin = () => {
      while (running.size < this.#width && waiting.length > 0 && this.mayBegin()) {
        const attempt = this.deliver(waiting.shift()!).finally(() => running.delete(attempt));
        running.add(attempt);
      }
    };
    try {
      for (begin(); running.size > 0; begin()) await Promise.race(running);
    } finally {
      // After an error: the receiver's next turn must not begin beside these.
      await Promise.allSettled(running);
    }
  }

  private mayBegin(): boolean {
    const { stopping } = this.parts;
    return !this.hasFailed() && !stopping.aborted && performance.now() < this.#endsAt;
  }

  private hasFailed(): boolean {
    const most = this.#failures > 0 ? 1 : FAILURES_UNTIL_REST;
    return this.#isGone || this.#failuresInARow >= most;
  }

  private async deliver({ id, body, attempts }: DueDelivery): Promise<void> {
    const { sender, store, metrics } = this.parts;
    const begunAt = performance.now();
    const attempt = await sender.send(this.receiver, { id, body });
    const recorded = concludeAttempt(id, attempts + 1, attempt);
    await store.record(recorded);
    metrics.countAttempt(recorded);
    if (attempt.error === null) {
      this.#width = Math.min(this.#width + 1, WIDEST);
      this.#failures = this.#failuresInARow = 0;
      this.#succeededAt = performance.now();
    } else {
      this.#width = 1;
      if (begunAt >= this.#lastCountedAt) {
        this.#failuresInARow += 1;
        this.#lastCountedAt = performance.now();
      }
      this.#isGone ||= isGone(attempt);
      this.#failedAt = performance.now();
    }
  }

  private async noteHealth(): Promise<void> {
    const failures = this.#failures + this.#failuresInARow;
    await this.parts.store.noteHealth(this.receiver, {
      failures,
      restMs: this.hasFailed() ? restAfterFailures(failures) : 0,
      succeededMsAgo: msSince(this.#succeededAt),
      failedMsAgo: msSince(this.#failedAt),
    });
  }
}

function msSince(time: number | null): number | null {
  return time === null ? null : Math.round(performance.now() - time);
}

/** The consequence of an attempt, counted from 1, for its delivery. */
export function concludeAttempt(
  delivery: string,
  count: number,
  attempt: RecordedAttempt['attempt'],
): RecordedAttempt {
  if (attempt.error === null) return { delivery, attempt, status: 'delivered', pauseMs: 0 };
  const pauseMs = count < MOST_ATTEMPTS && !isGone(attempt) ? pauseAfterAttempt(count) : null;
  if (pauseMs === null) return { delivery, attempt, status: 'undelivered', pauseMs: 0 };
  return { delivery, attempt, status: 'waiting', pauseMs };
}

/** Attempts of a delivery, until it is delivered again by hand. */
export const MOST_ATTEMPTS = 12;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The pause after each attempt but the last: 56 hours in total, and less than 72 with the jitter. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  16 * HOUR_MS,
  24 * HOUR_MS,
];
/** Largest share that is added to a pause. */
const JITTER = 0.25;

const SHORTEST_REST_MS = 5_000;
const LONGEST_REST_MS = 5 * MINUTE_MS;

/** The pause after a failed attempt, counted from 1; null: it was the last one. `random`: from 0 to 1. */
export function pauseAfterAttempt(attempt: number, random = Math.random()): number | null {
  const pauseMs = PAUSES_MS[attempt - 1];
  return pauseMs === undefined ? null : withJitter(pauseMs, random);
}

/**
 * How long a receiver gets nothing after this many failures without a success. Deliveries that were not tried
 * keep their attempts, so that an outage costs each only few of them.
 */
export function restAfterFailures(failures: number, random = Math.random()): number {
  const restMs = Math.min(SHORTEST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS);
  return withJitter(restMs, random);
}

function withJitter(ms: number, random: number): number {
  return Math.round(ms * (1 + JITTER * random));
}

const results = ['received', 'failed', 'given_up'] as const;
type AttemptResult = (typeof results)[number];

const RESULTS: Readonly<Record<DeliveryStatus, AttemptResult>> = {
  delivered: 'received',
  waiting: 'failed',
  undelivered: 'given_up',
};

/** Figures of webhooks, for Prometheus. No label names a receiver: there may be thousands. */
export class WebhookMetrics {
  readonly #attempts: Counter<{ result: AttemptResult }>;
  readonly #duration: Histogram;

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter<{ result: AttemptResult }>({
      name: 'webhook_attempts_total',
      labels: ['result'],
      known: results.map((result) => ({ result })),
      help: 'Attempts to deliver to webhooks; failed: will be repeated; given_up: failed for the last time.',
    });
    this.#duration = metrics.histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Duration of attempts to deliver to webhooks.',
    });
  }

  countAttempt({ attempt, status }: Pick<RecordedAttempt, 'attempt' | 'status'>): void {
    this.#attempts.add({ result: RESULTS[status] });
    this.#duration.observe({}, attempt.duration_ms / 1_000);
  }
}
