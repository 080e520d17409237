import { type DynamicModule, type InjectionToken, Module } from '@nestjs/common';
import type { Ledger } from '@forecourt/ledger';
import type { Queue } from 'bullmq';
import { type FindNetwork, LEDGER, LedgerModule, type LedgerSettings } from './ledger/index.js';
import { EXECUTION_QUEUE, ExecutionQueueModule } from './queue/index.js';
import type { RedisConnection, RedisSettings } from './redis/index.js';
import {
  HealthModule,
  type Indicator,
  ledgerIndicator,
  queueIndicator,
  REDIS,
  redisIndicator,
  RedisModule,
  ReplicasModule,
  type Service,
  ServiceModule,
} from './service/index.js';

interface PlatformConfig extends RedisSettings, LedgerSettings {
  readonly traceEndpoint?: string | null;
}

/** The indicator of a provider that has to be ready before this replica can answer. */
interface ReplicaIndicator {
  readonly inject: InjectionToken;
  readonly indicator: (provider: never) => Indicator;
}

export interface PlatformOptions<Dependencies extends readonly unknown[]> {
  /** May define scripts on the connection. */
  readonly prepareRedis?: (redis: RedisConnection) => RedisConnection;
  readonly network: FindNetwork<Dependencies>;
  /**
   * Retries of a command of the queue during an outage of Redis. Default: 1, so that requests fail soon;
   * null: unlimited, as workers need.
   */
  readonly queueRetries?: number | null;
  readonly ready?: ReplicaIndicator;
}

/**
 * The parts of sponsoring services outside the domain: logs, metrics, Redis, the queue, the ledger, probes.
 */
@Module({})
export class PlatformModule {
  static forRoot<Dependencies extends readonly unknown[]>(
    service: Service,
    config: PlatformConfig,
    { prepareRedis, network, queueRetries = 1, ready }: PlatformOptions<Dependencies>,
  ): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ServiceModule.forRoot(service),
        RedisModule.with(config, prepareRedis),
        ReplicasModule,
        LedgerModule.forRoot(config, network),
        ExecutionQueueModule.forRoot({
          redis: config,
          traced: (config.traceEndpoint ?? null) !== null,
          maxRetriesPerRequest: queueRetries,
        }),
        HealthModule.with({
          inject: [REDIS, EXECUTION_QUEUE, LEDGER, ...(ready ? [ready.inject] : [])],
          indicators: (redis: RedisConnection, queue: Queue, ledger: Ledger, provider: never) => ({
            replica: ready ? [ready.indicator(provider)] : [],
            dependencies: [redisIndicator(redis), queueIndicator(queue), ledgerIndicator(ledger)],
          }),
        }),
      ],
    };
  }
}
