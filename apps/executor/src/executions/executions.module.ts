import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { type CoinStoreRedis, placementRules } from '@forecourt/coin-store';
import type { ExecutionJob } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { submitWithinMs } from '@forecourt/runtime/config';
import { LEDGER } from '@forecourt/runtime/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { ClaimJobs, EXECUTION_QUEUE, measureQueue } from '@forecourt/runtime/queue';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import type { Queue } from 'bullmq';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { ExecutionBatches } from './execution-batches.js';
import { ExecutionStore } from './execution-store.js';
import { ExecutionsProcessor } from './executions.processor.js';
import { ExecutionsService } from './executions.service.js';
import { OutcomesService } from './outcomes.service.js';
import { QuarantinedCoins } from './quarantined-coins.js';
import { QuarantinesService } from './quarantines.service.js';
import { RepliesService } from './replies.service.js';
import { Submitter } from './submitter.js';

/** Takes claimed transactions from the queue and executes them. */
@Module({})
export class ExecutionsModule {
  constructor(metrics: Metrics, @Inject(EXECUTION_QUEUE) queue: Queue<ExecutionJob>) {
    measureQueue(metrics, queue);
  }

  static forRoot(config: ExecutorConfig): DynamicModule {
    const { ledgerTimeoutMs, localExecutionWaitMs, poolTargetBalance, retentionMs } = config;
    const submitMs = submitWithinMs(ledgerTimeoutMs);
    const outcomeSettings = { rules: placementRules(poolTargetBalance), retentionMs };
    return {
      module: ExecutionsModule,
      providers: [
        { provide: EXECUTOR_CONFIG, useValue: config },
        ExecutionsProcessor,
        ExecutorMetrics,
        {
          provide: ExecutionBatches,
          inject: [ClaimJobs, LOGGER],
          useFactory: (jobs: ClaimJobs, logger: Logger) => new ExecutionBatches(jobs, logger),
        },
        {
          provide: RepliesService,
          inject: [REDIS, LEDGER, LOGGER],
          useFactory: (redis: CoinStoreRedis, ledger: Ledger, logger: Logger) =>
            new RepliesService(redis, ledger, logger, localExecutionWaitMs),
        },
        {
          provide: ExecutionsService,
          inject: [
            REDIS,
            LEDGER,
            ReplicaIdentity,
            Signers,
            RepliesService,
            ExecutorMetrics,
            LOGGER,
          ],
          useFactory: (
            redis: CoinStoreRedis,
            ledger: Ledger,
            { id }: ReplicaIdentity,
            signers: Signers,
            replies: RepliesService,
            metrics: ExecutorMetrics,
            log: Logger,
          ) => {
            const store = new ExecutionStore(redis, id, outcomeSettings);
            const recent = new RecentObjects(redis);
            const submitter = new Submitter(ledger, store, submitMs, metrics, log);
            const outcomes = new OutcomesService(store, ledger, recent, replies, metrics, log);
            const coins = new QuarantinedCoins(store, ledger, submitMs, metrics, log);
            const quarantines = new QuarantinesService(
              store,
              ledger,
              outcomes,
              coins,
              replies,
              metrics,
              log,
            );
            return new ExecutionsService(
              store,
              ledger,
              signers,
              submitter,
              outcomes,
              quarantines,
              log,
            );
          },
        },
      ],
    };
  }
}
