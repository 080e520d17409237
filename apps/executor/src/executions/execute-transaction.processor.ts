import { Processor, WorkerHost } from '@nestjs/bullmq';
import {
  type BeforeApplicationShutdown,
  Inject,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  EXECUTE_TRANSACTION_QUEUE,
  type ExecuteTransactionJob,
  MAX_STALLED_COUNT,
  readExecuteTransactionJobId,
} from '@forecourt/contracts';
import { ServiceState, withLogFields } from '@forecourt/runtime/service';
import { inSpan } from '@forecourt/runtime/tracing';
import type { Job } from 'bullmq';
import { executeTransaction } from './execute-transaction.js';
import type { ExecutorParts } from './executor-parts.js';
import { OutcomePending } from './outcome-pending.js';
import { retryDelayMs } from './retry-delay.js';

export const EXECUTOR_PARTS = Symbol('EXECUTOR_PARTS');
export const EXECUTOR_CONCURRENCY = Symbol('EXECUTOR_CONCURRENCY');

/** A dead executor's jobs are taken up this soon. Taking one up too early is harmless: every step names its digest. */
const LOCK_MS = 10_000;

/** Drains the queue into `executeTransaction`. */
@Processor(EXECUTE_TRANSACTION_QUEUE, {
  autorun: false,
  maxStalledCount: MAX_STALLED_COUNT,
  lockDuration: LOCK_MS,
  stalledInterval: LOCK_MS / 2,
  settings: { backoffStrategy: (attemptsMade, _type, error) => retryDelayMs(attemptsMade, error) },
})
export class ExecuteTransactionProcessor
  extends WorkerHost
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly handOver = Promise.withResolvers<never>();

  constructor(
    @Inject(EXECUTOR_PARTS) private readonly parts: ExecutorParts,
    @Inject(EXECUTOR_CONCURRENCY) private readonly concurrency: number,
    private readonly state: ServiceState,
  ) {
    super();
    this.handOver.promise.catch(() => undefined);
  }

  onApplicationBootstrap(): void {
    const { logger } = this.parts;
    this.worker.concurrency = this.concurrency;
    this.worker.on('error', (error) => logger.error({ error: error.message }, 'queue error'));
    this.worker.on('failed', (job, error) => {
      logger.warn({ ...job?.data, attempt: job?.attemptsMade, error: error.message }, 'will retry');
    });
    this.worker.on('stalled', (id) => {
      logger.warn({ id, ...readExecuteTransactionJobId(id) }, 'a stalled job is taken up again');
    });
    void this.worker.run();
  }

  process(job: Job<ExecuteTransactionJob>): Promise<void> {
    return withLogFields({ ...job.data }, () => this.attempt(job));
  }

  private async attempt(job: Job<ExecuteTransactionJob>): Promise<void> {
    const { attempts } = this.parts.metrics;
    try {
      const { digest, reservationId, sponsor } = job.data;
      const facts = { digest, reservationId, sponsor };
      const execute = () => executeTransaction(this.parts, job.data);
      await Promise.race([inSpan('execute transaction', facts, execute), this.handOver.promise]);
      attempts.add({ result: 'done' });
    } catch (error) {
      attempts.add({ result: error instanceof OutcomePending ? 'pending' : 'failed' });
      throw error;
    }
  }

  /**
   * Takes no more jobs, finishes those in flight and sends the last replies. What is not done in time goes back to the
   * queue, where another executor finds it; whatever this one still does for it is done once.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const handOver = () =>
      this.handOver.reject(new OutcomePending('handed over by an executor that stops'));
    const late = setTimeout(handOver, this.state.answerBy - performance.now());
    await this.worker.close();
    const handedOver = this.handOver.promise.catch(() => undefined);
    await Promise.race([this.parts.replies.drain(), handedOver]);
    clearTimeout(late);
  }
}
