import type { CoinStoreRedis } from '@forecourt/coin-store';
import type { Metrics } from '@forecourt/runtime/metrics';
import { queueOptions, type RedisSettings } from '@forecourt/runtime/redis';
import type { Logger } from '@forecourt/runtime/service';
import type { LedgerCodec } from '@forecourt/ledger';
import type { Database } from '../database/database.js';
import { WebhookAnswers } from './webhook-answers.js';
import { WebhookRecords } from './webhook-records.js';
import { addDeliveries, type NotifiedEvent, type Queryable } from './delivery-outbox.js';
import { DeliveryQueue } from './delivery-queue.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { DeliveryStore } from './delivery-store.js';
import { EventStreams } from './event-streams.js';
import { ReceiverAddresses } from './receiver-addresses.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookDirectory } from './webhook-directory.js';

interface WebhookSettings extends RedisSettings {
  readonly tokensFile: string | null;
  readonly webhookAllowedHosts: readonly string[];
  readonly retentionMs: number;
}

/** The services that webhooks use. */
export interface WebhookParts {
  readonly database: Database;
  readonly redis: CoinStoreRedis;
  readonly decoder: LedgerCodec;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The webhooks of a history service: who receives events, their delivery, and answers about both. */
export class Webhooks {
  private constructor(
    readonly directory: WebhookDirectory,
    readonly queue: DeliveryQueue,
    readonly answers: WebhookAnswers,
  ) {}

  /** Throws `Error` naming the file, the place and the mistake. */
  static async open(settings: WebhookSettings, parts: WebhookParts): Promise<Webhooks> {
    const { tokensFile, webhookAllowedHosts, retentionMs } = settings;
    const { database, redis, decoder, logger } = parts;
    const directory = await WebhookDirectory.load(tokensFile, logger);
    const metrics = new WebhookMetrics(parts.metrics);
    const sender = new WebhookSender(new ReceiverAddresses(webhookAllowedHosts));
    const streams = new EventStreams(redis, decoder, database, directory, logger);
    const store = new DeliveryStore(database.pool);
    // A worker waits for Redis as long as it takes.
    const options = { ...queueOptions(settings, { maxRetriesPerRequest: null }), retentionMs };
    const queue = new DeliveryQueue(directory, streams, store, sender, metrics, logger, options);
    const records = new WebhookRecords(database.readers);
    const answers = new WebhookAnswers(directory, records, sender, queue);
    return new Webhooks(directory, queue, answers);
  }

  /** Begins to deliver, once the tables exist. */
  start(): void {
    this.directory.follow();
    this.queue.start();
  }

  /** Ends after the attempts that are in progress. */
  async stop(): Promise<void> {
    this.directory.close();
    await this.queue.stop();
  }

  /**
   * Adds the deliveries of events in the transaction that stores what they are about. Returns the ids of the
   * receivers that have got deliveries.
   */
  add(transaction: Queryable, events: readonly NotifiedEvent[]): Promise<ReadonlySet<string>> {
    return addDeliveries(transaction, this.directory, events);
  }

  /** Delivers to these receivers now instead of at the next sweep. Never rejects. */
  async wake(receivers: ReadonlySet<string>): Promise<void> {
    await this.queue.wake(receivers);
  }
}
