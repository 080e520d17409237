import { type DynamicModule, Module } from '@nestjs/common';
import { type CoinStoreRedis, prepareCoinStore, readNetwork } from '@forecourt/coin-store';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER, LedgerModule } from '@forecourt/runtime/ledger';
import { EXECUTION_QUEUE, ExecutionQueueModule } from '@forecourt/runtime/queue';
import {
  HealthModule,
  ledgerIndicator,
  queueIndicator,
  REDIS,
  redisIndicator,
  RedisModule,
  ReplicasModule,
  type Service,
  ServiceModule,
} from '@forecourt/runtime/service';
import { SignersModule } from '@forecourt/runtime/signers';
import type { Queue } from 'bullmq';
import { ExecutionsModule } from './executions/executions.module.js';
import type { ExecutorConfig } from './executor-config.js';

@Module({})
export class ExecutorModule {
  static forRoot(config: ExecutorConfig, service: Service): DynamicModule {
    return {
      module: ExecutorModule,
      imports: [
        ServiceModule.forRoot(service),
        RedisModule.with(config, prepareCoinStore),
        ReplicasModule,
        LedgerModule.forSponsors(config, readNetwork),
        SignersModule.forRoot(config),
        ExecutionQueueModule.forRoot({
          redis: config,
          traced: config.traceEndpoint !== null,
          maxRetriesPerRequest: null,
        }),
        ExecutionsModule.forRoot(config),
        HealthModule.with({
          inject: [REDIS, EXECUTION_QUEUE, LEDGER],
          indicators: (redis: CoinStoreRedis, queue: Queue, ledger: Ledger) => ({
            replica: [],
            dependencies: [redisIndicator(redis), queueIndicator(queue), ledgerIndicator(ledger)],
          }),
        }),
      ],
    };
  }
}
