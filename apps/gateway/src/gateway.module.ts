import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER, LedgerModule } from '@forecourt/runtime/ledger';
import { EXECUTION_QUEUE, ExecutionQueueModule } from '@forecourt/runtime/queue';
import type { RedisConnection } from '@forecourt/runtime/redis';
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
import type { Queue } from 'bullmq';
import { AccessModule } from './access/access.module.js';
import { CoinPoolClientModule } from './coin-pool/coin-pool-client.module.js';
import { NetworkOfPools } from './coin-pool/network-of-pools.js';
import { CompatibilityModule } from './compatibility/compatibility.module.js';
import { DryRunsModule } from './dry-runs/dry-runs.module.js';
import { ExecutionsModule } from './executions/executions.module.js';
import type { GatewayConfig } from './gateway-config.js';
import { GatewayConfigModule } from './gateway-config.module.js';
import { ErrorAnswerFilter } from './http/error-answer.filter.js';
import { UnansweredRequests } from './http/unanswered-requests.js';
import { LedgerEventsModule } from './ledger-events/ledger-events.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { ReservationsModule } from './reservations/reservations.module.js';

const ofCoinPools = {
  imports: [CoinPoolClientModule],
  inject: [NetworkOfPools],
  find: (network: NetworkOfPools) => network.find(),
};

@Module({})
export class GatewayModule {
  static forRoot(config: GatewayConfig, service: Service): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        ServiceModule.forRoot(service),
        GatewayConfigModule.forRoot(config),
        RedisModule.with(config),
        ReplicasModule,
        LedgerModule.forRoot(config, ofCoinPools),
        ExecutionQueueModule.forRoot({
          redis: config,
          traced: config.traceEndpoint !== null,
          maxRetriesPerRequest: 1,
        }),
        HealthModule.with({
          inject: [REDIS, EXECUTION_QUEUE, LEDGER],
          indicators: (redis: RedisConnection, queue: Queue, ledger: Ledger) => ({
            replica: [],
            dependencies: [redisIndicator(redis), queueIndicator(queue), ledgerIndicator(ledger)],
          }),
        }),
        AccessModule,
        OperationsModule,
        ReservationsModule,
        ExecutionsModule,
        DryRunsModule,
        LedgerEventsModule,
        CompatibilityModule,
      ],
      providers: [UnansweredRequests, { provide: APP_FILTER, useClass: ErrorAnswerFilter }],
    };
  }
}
