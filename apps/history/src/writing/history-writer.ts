import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { announceHistory, type CoinStoreRedis, listSponsors } from '@forecourt/coin-store';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { type Logger, LOGGER, OutageLog, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { Database } from '../database/database.js';
import { HISTORY_CONFIG, type HistoryConfig } from '../history-config.js';
import { countMissingEntries } from './entry-numbers.js';
import {
  type EntrySource,
  REFUSALS,
  sourceOfRefusals,
  sourceOfSponsorships,
  type StreamEntry,
  type WrittenEntries,
} from './entry-source.js';
import { HistoryMetrics } from './history-metrics.js';
import { RecordWriter } from './record-writer.js';
import { RecordedNetwork } from './recorded-network.js';

/** Writes the streams of all sponsors, and that of refused requests. */
@Injectable()
export class HistoryWriter {
  readonly #writers = new Map<string, StreamWriter>();
  #stopped = false;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly database: Database,
    private readonly records: RecordWriter,
    private readonly network: RecordedNetwork,
    @Inject(HISTORY_CONFIG) private readonly settings: HistoryConfig,
    private readonly identity: ReplicaIdentity,
    private readonly metrics: HistoryMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Lets the other services append to the streams, or with a backlog of 0 no longer. Rejects when Redis does
   * not answer.
   */
  async announce(): Promise<void> {
    await announceHistory(this.redis, this.settings.backlog || null);
  }

  /** Begins to write the streams that are not being written yet. Rejects when Redis does not answer. */
  async follow(): Promise<void> {
    const sponsors = [...(await listSponsors(this.redis)).values()];
    const { id } = this.identity;
    this.add(
      REFUSALS,
      () => sourceOfRefusals(this.redis, id, this.settings),
      async (entries) => {
        await this.network.requireAll();
        return this.records.writeRefusals(REFUSALS, entries);
      },
    );
    for (const sponsor of sponsors) {
      const open = () => sourceOfSponsorships(this.redis, sponsor, id, this.settings);
      this.add(sponsor, open, async (entries) => {
        await this.network.require(sponsor);
        return this.records.writeSponsorships(sponsor, entries);
      });
    }
  }

  /**
   * Counts the entries that were deleted before they were written. Rejects when Redis or the database does
   * not answer.
   */
  async countMissing(): Promise<void> {
    for (const sponsor of (await listSponsors(this.redis)).values()) {
      if (!(await this.network.holds(sponsor))) continue;
      const missing = await countMissingEntries(this.redis, this.database, sponsor);
      if (missing > 0) this.logger.error({ sponsor, missing }, 'Entries of history are missing');
    }
  }

  /** Finishes the batches at hand. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#writers.values()].map((writer) => writer.stop()));
  }

  private add(name: string, open: () => EntrySource, write: WriteEntries): void {
    if (this.#stopped || this.#writers.has(name)) return;
    const writer = new StreamWriter(open(), write, this.settings, this.metrics, this.logger);
    this.#writers.set(name, writer);
    writer.start();
  }
}

/** Pauses after failures grow up to this. */
const LONGEST_PAUSE_MS = 5_000;
const FIRST_PAUSE_MS = 100;

type WriteEntries = (entries: readonly StreamEntry[]) => Promise<WrittenEntries>;

interface StreamWriterSettings {
  /** Entries of one read. */
  readonly batch: number;
  /**
   * After fewer entries than a batch, more of them are awaited for this long: a transaction costs as much for
   * one as for many.
   */
  readonly gatherMs: number;
}

/** Moves the entries of one stream into the database, one batch after the other. */
class StreamWriter {
  readonly #stopping = new AbortController();
  readonly #outage: OutageLog;
  #ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly source: EntrySource,
    private readonly write: WriteEntries,
    private readonly settings: StreamWriterSettings,
    private readonly metrics: HistoryMetrics,
    logger: Logger,
  ) {
    this.#outage = new OutageLog(logger, {
      begins: 'History cannot be written; it is kept in Redis',
      goesOn: 'History still cannot be written',
      ends: 'History is written again',
    });
  }

  start(): void {
    this.#ended = this.run();
  }

  /** Finishes the batch at hand and ends. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.source.close();
    await this.#ended;
  }

  private async run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const entries = await this.repeat(() => this.source.read());
      if (entries === null || entries.length === 0) continue;
      const written = await this.repeat(() => this.write(entries));
      if (written === null) return;
      this.metrics.count(this.source.stream.name, written);
      passFailpoint('history:after-commit');
      await this.repeat(() => this.source.acknowledge(written.done));
      if (entries.length < this.settings.batch) await this.pause(this.settings.gatherMs);
    }
  }

  /** Repeats a step until it succeeds; null where the service stops first. */
  private async repeat<T>(step: () => Promise<T>): Promise<T | null> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        const result = await step();
        this.#outage.end();
        return result;
      } catch (error) {
        if (this.#stopping.signal.aborted) return null;
        this.metrics.failures.add({ stream: this.source.stream.name });
        this.#outage.report({ stream: this.source.stream.name, error: (error as Error).message });
        await this.pause(pauseMs);
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
