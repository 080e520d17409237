import { setTimeout as delay } from 'node:timers/promises';
import { untilTick } from '@forecourt/resilience';
import type { QueueOptions } from '@forecourt/runtime/redis';
import { OutageLog, type Logger } from '@forecourt/runtime/service';
import { Queue, Worker } from 'bullmq';
import type { DeliveryStore } from './delivery-store.js';
import type { EventStreams } from './event-streams.js';
import type { WebhookDirectory } from './webhook-directory.js';
import type { WebhookSender } from './webhook-sender.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { DeliveryTurn } from './delivery-turn.js';

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
      await delay(untilTick(SWEEP_EVERY_MS), undefined, { signal }).catch(() => undefined);
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
