import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Inject, Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { EXECUTE_TRANSACTION_QUEUE, type ExecutionJob } from '@forecourt/contracts';
import { queueOptions, type RedisSettings } from '../redis/index.js';
import { type Logger, LOGGER } from '../service/logger.js';
import { ClaimJobs } from './claim-jobs.js';

/** Injection token of the queue of claimed transactions, a `Queue<ExecutionJob>`. */
export const EXECUTION_QUEUE = getQueueToken(EXECUTE_TRANSACTION_QUEUE);

export interface ExecutionQueueOptions {
  readonly redis: RedisSettings;
  /** Whether jobs carry the trace of the request that enqueued them. */
  readonly traced?: boolean;
  /** Retries of a command during an outage of Redis; null: unlimited, as workers need. */
  readonly maxRetriesPerRequest: number | null;
}

/**
 * The queue that carries claimed transactions from coin-pools to executors, for every module of a service.
 */
@Module({})
export class ExecutionQueueModule {
  constructor(@Inject(EXECUTION_QUEUE) queue: Queue, @Inject(LOGGER) logger: Logger) {
    // Without a listener, BullMQ prints errors. The service's own connection logs outages.
    queue.on('error', ({ message: error }) => logger.debug({ error }, 'Queue connection failed'));
  }

  static forRoot({ redis, traced, ...connection }: ExecutionQueueOptions): DynamicModule {
    const queue = BullModule.registerQueueAsync({
      name: EXECUTE_TRANSACTION_QUEUE,
      useFactory: () => (traced ? traceJobs() : {}),
    });
    return {
      module: ExecutionQueueModule,
      global: true,
      imports: [BullModule.forRoot(queueOptions(redis, connection)), queue],
      providers: [
        {
          provide: ClaimJobs,
          inject: [EXECUTION_QUEUE],
          useFactory: (opened: Queue<ExecutionJob>) => new ClaimJobs(opened),
        },
      ],
      exports: [queue, ClaimJobs],
    };
  }
}

/**
 * Must be called after tracing has started: the telemetry keeps the tracer that is registered at its
 * creation.
 */
async function traceJobs() {
  const { BullMQOtel } = await import('bullmq-otel');
  return { telemetry: new BullMQOtel() };
}
