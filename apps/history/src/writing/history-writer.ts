import { Inject, Injectable } from '@nestjs/common';
import { announceHistory, type CoinStoreRedis, listSponsors } from '@forecourt/coin-store';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { HISTORY_CONFIG, type HistoryConfig } from '../history-config.js';
import { HistoryMetrics } from '../metrics/history-metrics.js';
import type { EntrySource } from '../streams/entry-source.js';
import { RefusalSource, REFUSALS } from '../streams/refusal-source.js';
import { SponsorshipSource } from '../streams/sponsorship-source.js';
import { Database } from '../database/database.js';
import { countMissingEntries } from './entry-numbers.js';
import { RecordWriter } from './record-writer.js';
import { RecordedNetwork } from './recorded-network.js';
import { StreamWriter, type WriteEntries } from './stream-writer.js';

type WriterSettings = Pick<HistoryConfig, 'backlog' | 'batch' | 'gatherMs' | 'claimAfterMs'>;

/** Writes the streams of all sponsors, and that of refused requests. */
@Injectable()
export class HistoryWriter {
  private readonly writers = new Map<string, StreamWriter>();
  private stopped = false;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly database: Database,
    private readonly records: RecordWriter,
    private readonly network: RecordedNetwork,
    @Inject(HISTORY_CONFIG) private readonly settings: WriterSettings,
    @Inject(ReplicaIdentity) private readonly identity: Pick<ReplicaIdentity, 'id'>,
    private readonly metrics: HistoryMetrics,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>,
  ) {}

  /** Lets the other services append to the streams, or with a backlog of 0 no longer. Rejects when Redis does not answer. */
  async announce(): Promise<void> {
    await announceHistory(this.redis, this.settings.backlog || null);
  }

  /** Begins to write the streams that are not being written yet. Rejects when Redis does not answer. */
  async follow(): Promise<void> {
    const sponsors = [...(await listSponsors(this.redis)).values()];
    const { id } = this.identity;
    this.add(
      REFUSALS,
      () => new RefusalSource(this.redis, id, this.settings),
      async (entries) => {
        await this.network.requireAll();
        return this.records.writeRefusals(REFUSALS, entries);
      },
    );
    for (const sponsor of sponsors) {
      const open = () => new SponsorshipSource(this.redis, sponsor, id, this.settings);
      this.add(sponsor, open, async (entries) => {
        await this.network.require(sponsor);
        return this.records.writeSponsorships(sponsor, entries);
      });
    }
  }

  /** Counts the entries that were deleted before they were written. Rejects when Redis or the database does not answer. */
  async countMissing(): Promise<void> {
    for (const sponsor of (await listSponsors(this.redis)).values()) {
      if (!(await this.network.holds(sponsor))) continue;
      const missing = await countMissingEntries(this.redis, this.database, sponsor);
      if (missing > 0) this.logger.error({ sponsor, missing }, 'Entries of history are missing');
    }
  }

  /** Finishes the batches at hand. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.writers.values()].map((writer) => writer.stop()));
  }

  private add(name: string, open: () => EntrySource, write: WriteEntries): void {
    if (this.stopped || this.writers.has(name)) return;
    const writer = new StreamWriter(open(), write, this.settings, this.metrics, this.logger);
    this.writers.set(name, writer);
    writer.start();
  }
}
