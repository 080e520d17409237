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
import type { CoinPoolConfig } from './coin-pool-config.js';

import { MessagesModule } from './messages/messages.module.js';

import { poolIndicator, PoolState } from './pool/pool-state.js';
import { PoolModule } from './pool/pool.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';

@Module({})
export class CoinPoolModule {
  static forRoot(config: CoinPoolConfig, service: Service): DynamicModule {
    return {
      module: CoinPoolModule,
      imports: [
        ServiceModule.forRoot(service),
        RedisModule.with(config, prepareCoinStore),
        ReplicasModule,
        LedgerModule.forSponsors(config, readNetwork),
        SignersModule.forRoot(config),
        ExecutionQueueModule.forRoot({ redis: config }),
        PoolModule.forRoot(config),
        MessagesModule,
        UpkeepModule,
        HealthModule.with({
          inject: [REDIS, EXECUTION_QUEUE, LEDGER, PoolState],
          indicators: (redis: CoinStoreRedis, queue: Queue, ledger: Ledger, state: PoolState) => ({
            replica: [poolIndicator(state)],
            dependencies: [redisIndicator(redis), queueIndicator(queue), ledgerIndicator(ledger)],
          }),
        }),
      ],
    };
  }
}
