import { type DynamicModule, Global, Inject, Module } from '@nestjs/common';
import type { ExecutionJob } from '@forecourt/contracts';
import { Metrics } from '@forecourt/runtime/metrics';
import { EXECUTION_QUEUE, measureQueue } from '@forecourt/runtime/queue';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import { EXECUTOR_CONFIG, type ExecutorConfig } from '../executor-config.js';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { ExecutionsProcessor } from './executions.processor.js';
import { ClaimExecutionsService } from './claim-executions.service.js';
import { JobPreconditions } from './job-preconditions.js';
import { OutcomesService } from './outcomes.service.js';
import { QuarantinedCoins } from './quarantined-coins.js';
import { Replies } from './replies.js';
import { UnexecutedClaimsService } from './unexecuted-claims.service.js';
import { WorkerSupervisor } from './worker-supervisor.js';
import { QuarantinesService } from './quarantines.service.js';

/** Takes claimed transactions from the queue and executes them. */
@Global()
@Module({})
export class ExecutionsModule {
  constructor(metrics: Metrics, @Inject(EXECUTION_QUEUE) queue: Queue<ExecutionJob>) {
    measureQueue(metrics, queue);
  }

  static forRoot(config: ExecutorConfig): DynamicModule {
    return {
      module: ExecutionsModule,
      providers: [
        { provide: EXECUTOR_CONFIG, useValue: config },
        ExecutionsProcessor,
        WorkerSupervisor,
        JobPreconditions,
        ClaimExecutionsService,
        OutcomesService,
        UnexecutedClaimsService,
        Replies,
        QuarantinesService,
        QuarantinedCoins,
        ExecutorMetrics,
        {
          provide: RecentObjects,
          inject: [REDIS],
          useFactory: (redis: RedisConnection) => new RecentObjects(redis),
        },
      ],
      exports: [JobPreconditions],
    };
  }
}
