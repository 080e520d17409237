import { type DynamicModule, Global, Inject, Module } from '@nestjs/common';
import { type CoinStoreRedis, prepareCoinStore } from '@forecourt/coin-store';
import { createIotaCodec, type LedgerCodec } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import type { RedisConnection } from '@forecourt/runtime/redis';
import {
  HealthModule,
  type Logger,
  LOGGER,
  REDIS,
  redisIndicator,
  RedisModule,
  ReplicasModule,
  type Service,
  ServiceModule,
} from '@forecourt/runtime/service';
import { Database } from './database/database.js';
import { FairAnswers } from './database/fair-answers.js';
import { Partitions } from './database/partitions.js';
import { DAY_MS } from './database/record-ids.js';
import { HISTORY_CONFIG, type HistoryConfig } from './history-config.js';
import { HistoryController } from './queries/history.controller.js';
import { LatencyQueries } from './queries/latency-queries.js';
import { RefusalQueries } from './queries/refusal-queries.js';
import { SponsorshipQueries } from './queries/sponsorship-queries.js';
import { TrafficQueries } from './queries/traffic-queries.js';
import { UsageQueries } from './queries/usage-queries.js';
import { HistoryUpkeep, tablesIndicator } from './upkeep/history-upkeep.js';
import { Retention } from './upkeep/retention.js';
import { WebhookMessagesController } from './webhooks/webhook-messages.controller.js';
import { Webhooks } from './webhooks/webhooks.js';
import { HistoryMetrics, measureStreams, measureTables } from './writing/history-metrics.js';
import { HistoryWriter } from './writing/history-writer.js';
import { RebuiltWriter } from './writing/rebuilt-writer.js';
import { DECODER, RecordWriter } from './writing/record-writer.js';
import { networkIndicator, RecordedNetwork } from './writing/recorded-network.js';

/** The database, for every module of the service. */
@Global()
@Module({})
class DatabaseModule {
  static forRoot(config: HistoryConfig): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: HISTORY_CONFIG, useValue: config },
        {
          provide: Database,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            new Database(config, ({ message }) =>
              logger.warn({ error: message }, 'A connection to PostgreSQL has broken'),
            ),
        },
        {
          provide: FairAnswers,
          inject: [Database],
          useFactory: ({ readers }: Database) => new FairAnswers(readers.options.max),
        },
        Partitions,
      ],
      exports: [HISTORY_CONFIG, Database, FairAnswers, Partitions],
    };
  }
}

/** Moves what the streams hold into the database, notifies webhooks, and keeps the tables. */
@Module({
  providers: [
    { provide: DECODER, useFactory: createIotaCodec },
    {
      provide: Webhooks,
      inject: [HISTORY_CONFIG, Database, REDIS, DECODER, Metrics, LOGGER],
      useFactory: (
        config: HistoryConfig,
        database: Database,
        redis: CoinStoreRedis,
        decoder: LedgerCodec,
        metrics: Metrics,
        logger: Logger,
      ) => {
        const retentionMs = config.retentionDays * DAY_MS;
        return Webhooks.open(
          { ...config, retentionMs },
          { database, redis, decoder, metrics, logger },
        );
      },
    },
    HistoryMetrics,
    RecordWriter,
    RebuiltWriter,
    RecordedNetwork,
    HistoryWriter,
    Retention,
    HistoryUpkeep,
  ],
  exports: [Webhooks, RecordedNetwork, HistoryUpkeep],
})
class WritingModule {
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

/** The record of ended sponsorships and refused requests, in PostgreSQL. */
@Module({})
export class HistoryModule {
  static forRoot(config: HistoryConfig, service: Service): DynamicModule {
    return {
      module: HistoryModule,
      imports: [
        ServiceModule.forRoot(service),
        RedisModule.with(config, prepareCoinStore),
        ReplicasModule,
        DatabaseModule.forRoot(config),
        WritingModule,
        HealthModule.with({
          imports: [WritingModule],
          inject: [REDIS, Database, RecordedNetwork, HistoryUpkeep],
          indicators: (
            redis: RedisConnection,
            { pool }: Database,
            network: RecordedNetwork,
            upkeep: HistoryUpkeep,
          ) => ({
            replica: [tablesIndicator(upkeep)],
            dependencies: [
              redisIndicator(redis),
              { name: 'database', check: async () => void (await pool.query('SELECT 1')) },
              networkIndicator(network),
            ],
          }),
        }),
      ],
      controllers: [HistoryController, WebhookMessagesController],
      providers: [SponsorshipQueries, RefusalQueries, UsageQueries, LatencyQueries, TrafficQueries],
    };
  }
}
