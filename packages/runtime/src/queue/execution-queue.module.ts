import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Inject, Module } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { EXECUTE_TRANSACTION_QUEUE } from '@forecourt/contracts';
import { queueOptions, type RedisSettings } from '../redis/index.js';
import { type Logger, LOGGER } from '../service/logger.js';

/** Injection token of the queue of claimed transactions, a `Queue<ExecuteTransactionJob>`. */
export const EXECUTION_QUEUE = getQueueToken(EXECUTE_TRANSACTION_QUEUE);

export interface ExecutionQueueOptions {
  readonly redis: RedisSettings;
  /** Whether jobs carry the trace of the request that enqueued them. */
  readonly traced?: boolean;
  /** How often a command is tried again while Redis is away; null: until it is back, which workers need. */
  readonly maxRetriesPerRequest?: number | null;
}

/** The queue that carries claimed transactions from gateways to executors, for every module of a service. */
@Module({})
export class ExecutionQueueModule {
  constructor(@Inject(EXECUTION_QUEUE) queue: Queue, @Inject(LOGGER) logger: Logger) {
    // BullMQ prints errors that nobody listens to. Outages are logged by the service's own connection.
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
      exports: [queue],
    };
  }
}

/** To be called once tracing has begun: the telemetry keeps the tracer that is registered when it is created. */
async function traceJobs() {
  const { BullMQOtel } = await import('bullmq-otel');
  return { telemetry: new BullMQOtel() };
}
