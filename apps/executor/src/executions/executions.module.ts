import { type DynamicModule, Inject, Module } from '@nestjs/common';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { Metrics } from '@forecourt/runtime/metrics';
import { EXECUTION_QUEUE, measureQueue } from '@forecourt/runtime/queue';
import type { Queue } from 'bullmq';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { ExecuteTransactionProcessor } from './execute-transaction.processor.js';
import { ReadablePools } from './readable-pools.js';
import { ReplyToWaiters } from './reply-to-waiters.js';
import { TransactionExecutor } from './transaction-executor.js';

/** Takes claimed transactions from the queue and executes them. */
@Module({
  providers: [
    ExecuteTransactionProcessor,
    ExecutorMetrics,
    ReadablePools,
    ReplyToWaiters,
    TransactionExecutor,
  ],
})
export class ExecutionsModule {
  constructor(metrics: Metrics, @Inject(EXECUTION_QUEUE) queue: Queue<ExecuteTransactionJob>) {
    measureQueue(metrics, queue);
  }

  static forRoot(config: ExecutorConfig): DynamicModule {
    return {
      module: ExecutionsModule,
      providers: [{ provide: EXECUTOR_CONFIG, useValue: config }],
    };
  }
}
