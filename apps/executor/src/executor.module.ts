import { randomUUID } from 'node:crypto';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { type CoinStoreRedis, placementRules, prepareCoinStore } from '@forecourt/coin-store';
import { EXECUTE_TRANSACTION_QUEUE } from '@forecourt/contracts';
import { createIotaLedger, createLocalSigner, type Ledger } from '@forecourt/ledger';
import { measureLedgerCalls } from '@forecourt/runtime/metrics';
import { queueOptions } from '@forecourt/runtime/redis';
import {
  HealthModule,
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
import { BullMQOtel } from 'bullmq-otel';
import type { ExecutorConfig } from './executor-config.js';
import {
  ExecuteTransactionProcessor,
  EXECUTOR_CONCURRENCY,
  EXECUTOR_PARTS,
} from './executions/execute-transaction.processor.js';
import type { ExecutorParts } from './executions/executor-parts.js';
import { ReplyToWaiters } from './executions/reply-to-waiters.js';
import { type ExecutorMetrics, executorMetrics } from './metrics/executor-metrics.js';
import { measureQueue } from './metrics/measure-queue.js';

const QUEUE = getQueueToken(EXECUTE_TRANSACTION_QUEUE);

@Module({})
export class ExecutorModule {
  static with(config: ExecutorConfig, service: Service): DynamicModule {
    const { metrics } = service;
    const ledger = createIotaLedger({
      url: config.ledgerUrl,
      readUrl: config.ledgerReadUrl ?? undefined,
      requestTimeoutMs: config.ledgerTimeoutMs,
      onCall: measureLedgerCalls(metrics),
    });
    const queues = BullModule.registerQueueAsync({
      name: EXECUTE_TRANSACTION_QUEUE,
      // Not before tracing has begun: what it is made with stays as it is then.
      useFactory: () => (config.traceEndpoint ? { telemetry: new BullMQOtel() } : {}),
    });
    return {
      module: ExecutorModule,
      imports: [
        ServiceModule.forRoot(service),
        RedisModule.with(config, prepareCoinStore),
        BullModule.forRoot(queueOptions(config, { maxRetriesPerRequest: null })),
        queues,
        HealthModule.with({
          imports: [queues],
          inject: [REDIS, QUEUE],
          ready: (redis: CoinStoreRedis, queue: Queue) => [
            redisIndicator(redis),
            queueIndicator(queue),
            ledgerIndicator(ledger),
          ],
        }),
      ],
      providers: [
        ExecuteTransactionProcessor,
        { provide: EXECUTOR_CONCURRENCY, useValue: config.concurrency },
        {
          provide: EXECUTOR_PARTS,
          inject: [REDIS, QUEUE, LOGGER],
          useFactory: (redis: CoinStoreRedis, queue: Queue, logger: Logger) => {
            measureQueue(metrics, queue);
            return makeParts(config, ledger, redis, executorMetrics(metrics), logger);
          },
        },
      ],
    };
  }
}

function makeParts(
  config: ExecutorConfig,
  ledger: Ledger,
  redis: CoinStoreRedis,
  metrics: ExecutorMetrics,
  logger: Logger,
): ExecutorParts {
  const signers = config.sponsorKeys.map((key) => createLocalSigner(key));
  return {
    executor: randomUUID(),
    redis,
    ledger,
    metrics,
    logger,
    signers: new Map(signers.map((signer) => [signer.address, signer])),
    replies: new ReplyToWaiters(redis, ledger, config.localExecutionWaitMs, logger),
    rules: placementRules(config.poolTargetBalance),
    retentionMs: config.retentionMs,
  };
}
