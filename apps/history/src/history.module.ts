import { type DynamicModule, Module } from '@nestjs/common';
import { prepareCoinStore } from '@forecourt/coin-store';
import type { RedisConnection } from '@forecourt/runtime/redis';
import {
  HealthModule,
  REDIS,
  redisIndicator,
  RedisModule,
  ReplicasModule,
  type Service,
  ServiceModule,
} from '@forecourt/runtime/service';
import { Database } from './database/database.js';
import { databaseIndicator, DatabaseModule } from './database/database.module.js';
import type { HistoryConfig } from './history-config.js';
import { QueriesModule } from './queries/queries.module.js';
import { HistoryState, tablesIndicator } from './upkeep/history-state.js';
import { networkIndicator, RecordedNetwork } from './writing/recorded-network.js';
import { WritingModule } from './writing.module.js';

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
        QueriesModule,
        HealthModule.with({
          imports: [WritingModule],
          inject: [REDIS, Database, RecordedNetwork, HistoryState],
          indicators: (
            redis: RedisConnection,
            database: Database,
            network: RecordedNetwork,
            state: HistoryState,
          ) => ({
            replica: [tablesIndicator(state)],
            dependencies: [
              redisIndicator(redis),
              databaseIndicator(database),
              networkIndicator(network),
            ],
          }),
        }),
      ],
    };
  }
}
