import { Inject, Module } from '@nestjs/common';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import { createIotaCodec } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { Database } from './database/database.js';
import { Partitions } from './database/partitions.js';
import { HISTORY_CONFIG, type HistoryConfig } from './history-config.js';
import { HistoryMetrics } from './metrics/history-metrics.js';
import { measureStreams } from './metrics/measure-streams.js';
import { measureTables } from './metrics/measure-tables.js';
import { HistoryState } from './upkeep/history-state.js';
import { HistoryUpkeep } from './upkeep/history-upkeep.js';
import { Retention } from './upkeep/retention.js';
import { Webhooks } from './webhooks/webhooks.js';
import { WebhookDeliveriesModule } from './webhooks/webhook-deliveries.module.js';
import { HistoryWriter } from './writing/history-writer.js';
import { RebuiltWriter } from './writing/rebuilt-writer.js';
import { RecordWriter } from './writing/record-writer.js';
import { RecordedNetwork } from './writing/recorded-network.js';

/** Moves what the streams hold into the database, and keeps the tables. */
@Module({
  imports: [WebhookDeliveriesModule],
  providers: [
    HistoryMetrics,
    HistoryState,
    {
      provide: RecordWriter,
      inject: [Database, Partitions, Webhooks],
      useFactory: (database: Database, partitions: Partitions, webhooks: Webhooks) =>
        new RecordWriter(database, partitions, createIotaCodec(), webhooks),
    },
    {
      provide: RebuiltWriter,
      inject: [REDIS, Database, RecordedNetwork, Partitions, Webhooks, HistoryMetrics, LOGGER],
      useFactory: (
        redis: CoinStoreRedis,
        database: Database,
        network: RecordedNetwork,
        partitions: Partitions,
        webhooks: Webhooks,
        figures: HistoryMetrics,
        logger: Logger,
      ) =>
        new RebuiltWriter(
          redis,
          database,
          network,
          partitions,
          createIotaCodec(),
          webhooks,
          figures,
          logger,
        ),
    },
    RecordedNetwork,
    HistoryWriter,
    Retention,
    HistoryUpkeep,
  ],
  exports: [HistoryState, RecordedNetwork],
})
export class WritingModule {
  constructor(
    metrics: Metrics,
    @Inject(REDIS) redis: CoinStoreRedis,
    @Inject(HISTORY_CONFIG) { backlog }: HistoryConfig,
    database: Database,
    partitions: Partitions,
  ) {
    measureStreams(metrics, redis, backlog);
    measureTables(metrics, database, partitions);
  }
}
