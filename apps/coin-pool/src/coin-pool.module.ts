import { randomUUID } from 'node:crypto';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { type CoinStoreRedis, placementRules, prepareCoinStore } from '@forecourt/coin-store';
import { EXECUTE_TRANSACTION_QUEUE } from '@forecourt/contracts';
import { createIotaLedger, createLocalSigner } from '@forecourt/ledger';
import { measureLedgerCalls } from '@forecourt/runtime/metrics';
import { queueOptions } from '@forecourt/runtime/redis';
import {
  HealthModule,
  inspectRedis,
  ledgerIndicator,
  type Logger,
  LOGGER,
  queueIndicator,
  REDIS,
  redisIndicator,
  RedisModule,
  type Service,
  ServiceModule,
} from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import type { CoinPoolConfig } from './coin-pool-config.js';
import { CoinPoolController } from './messages/coin-pool.controller.js';
import { MessagesInFlight } from './messages/messages-in-flight.js';
import { measureDurability } from './metrics/measure-durability.js';
import { measurePools } from './metrics/measure-pools.js';
import { poolMetrics } from './metrics/pool-metrics.js';
import { poolIndicator } from './pool/pool-indicator.js';
import { PoolKeeper } from './pool/pool-keeper.js';
import type { PoolParts, PoolState } from './pool/pool-parts.js';
import { ServerGate } from './pool/server-gate.js';
import { POOL_PARTS } from './pool/pool-parts.token.js';

const QUEUE = getQueueToken(EXECUTE_TRANSACTION_QUEUE);

@Module({})
export class CoinPoolModule {
  static with(config: CoinPoolConfig, service: Service): DynamicModule {
    const { metrics } = service;
    const ledger = createIotaLedger({
      url: config.ledgerUrl,
      readUrl: config.ledgerReadUrl ?? undefined,
      requestTimeoutMs: config.ledgerTimeoutMs,
      onCall: measureLedgerCalls(metrics),
    });
    const state: PoolState = { opened: false, chain: null };
    const queues = BullModule.registerQueue({ name: EXECUTE_TRANSACTION_QUEUE });
    return {
      module: CoinPoolModule,
      imports: [
        ServiceModule.forRoot(service),
        RedisModule.with(config, prepareCoinStore),
        BullModule.forRoot(queueOptions(config)),
        queues,
        HealthModule.with({
          imports: [queues],
          inject: [REDIS, QUEUE],
          ready: (redis: CoinStoreRedis, queue: Queue) => [
            redisIndicator(redis),
            queueIndicator(queue),
            ledgerIndicator(ledger),
            poolIndicator(state),
          ],
        }),
      ],
      controllers: [CoinPoolController],
      providers: [
        PoolKeeper,
        MessagesInFlight,
        {
          provide: POOL_PARTS,
          inject: [REDIS, QUEUE, LOGGER],
          useFactory: (
            redis: CoinStoreRedis,
            queue: PoolParts['queue'],
            logger: Logger,
          ): PoolParts => {
            const signers = config.sponsorKeys.map((key) => createLocalSigner(key));
            measurePools(metrics, { redis, signers, settings: config });
            measureDurability(metrics, redis);
            const gate = new ServerGate({
              redis,
              signers,
              settings: config,
              logger,
              state,
              inspect: () => inspectRedis(redis),
              lookAgainMs: config.redisMode === 'cluster' ? 1_000 : Infinity,
            });
            return {
              owner: randomUUID(),
              redis,
              ledger,
              queue,
              signers,
              logger,
              state,
              gate,
              rules: placementRules(config.targetBalance),
              settings: config,
              metrics: poolMetrics(metrics),
            };
          },
        },
      ],
    };
  }
}
