import { type DynamicModule, Global, Inject, Module } from '@nestjs/common';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import { Metrics } from '@forecourt/runtime/metrics';
import { EXECUTION_QUEUE, measureQueue } from '@forecourt/runtime/queue';
import { REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import type { Queue } from 'bullmq';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { measureDurability, measurePools } from '../metrics/measure-pools.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { InputLocks } from './input-locks.js';
import { PoolOpener, PoolState } from './pool-opener.js';
import { RestartGuard } from './restart-guard.js';
import { SponsorDirectory } from './sponsor-directory.js';

const shared = [PoolMetrics, PoolState, InputLocks, PoolOpener, RestartGuard, SponsorDirectory];

/** Providers for every module of the coin-pool: configuration, and the sponsors' pools. */
@Global()
@Module({ providers: shared, exports: shared })
export class PoolModule {
  constructor(
    metrics: Metrics,
    @Inject(REDIS) redis: CoinStoreRedis,
    signers: Signers,
    @Inject(COIN_POOL_CONFIG) settings: CoinPoolConfig,
    @Inject(EXECUTION_QUEUE) queue: Queue,
  ) {
    measurePools(metrics, redis, signers, settings);
    measureDurability(metrics, redis);
    measureQueue(metrics, queue);
  }

  static forRoot(config: CoinPoolConfig): DynamicModule {
    return {
      module: PoolModule,
      providers: [{ provide: COIN_POOL_CONFIG, useValue: config }],
      exports: [COIN_POOL_CONFIG],
    };
  }
}
