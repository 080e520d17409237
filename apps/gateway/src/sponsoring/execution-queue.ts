import { Inject, Injectable } from '@nestjs/common';
import {
  executeTransactionJobId,
  executeTransactionJobOptions,
  type ExecuteTransactionJob,
  ForecourtError,
  type FoundReservation,
  JOB_VERSION,
  tokenOfCaller,
} from '@forecourt/contracts';
import { within } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { cacheRead } from '@forecourt/runtime/metrics';
import { countWaiting, EXECUTION_QUEUE, Turns } from '@forecourt/runtime/queue';
import { logFields, type Logger, LOGGER } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

const ENQUEUE_TIMEOUT_MS = 3_000;
const RETRY_AFTER_SECS = 2;
/** Age up to which a count is used. A burst within this time exceeds the limit by at most what gateways admit. */
const COUNT_AGE_MS = 250;

/** Hands claims to the executors, which take the jobs of all tokens in turn. */
@Injectable()
export class ExecutionQueue {
  /** A queue that cannot be counted counts as empty: adding the job will report the failure. */
  readonly #waiting = cacheRead(() => countWaiting(this.queue).catch(() => 0), COUNT_AGE_MS);

  constructor(
    @Inject(EXECUTION_QUEUE)
    private readonly queue: Pick<
      Queue<ExecuteTransactionJob>,
      'name' | 'add' | 'getJobCountByTypes'
    >,
    @Inject(Turns) private readonly turns: Pick<Turns, 'take'>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'maxQueued'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'debug'>,
  ) {}

  /** Throws OVERLOADED if an execution would wait too long for an executor, before it costs anything. */
  async requireRoom(): Promise<void> {
    if ((await this.#waiting()) >= this.config.maxQueued) throw new ForecourtError('OVERLOADED');
  }

  /** Enqueues the job of a claim; a claim has one job, however often it is enqueued. Throws OUTCOME_UNKNOWN if the queue does not answer. */
  async enqueue(
    { sponsor, reservationId, fence }: FoundReservation,
    digest: string,
    caller: string,
  ): Promise<void> {
    const requestId = logFields()['requestId'];
    const job = {
      version: JOB_VERSION,
      sponsor,
      reservationId,
      digest,
      fence,
      ...(requestId !== undefined && { requestId: String(requestId) }),
    };
    try {
      await within(this.add(job, caller), ENQUEUE_TIMEOUT_MS, 'Enqueueing');
      passFailpoint('gateway:after-enqueue');
      const fields = { requestId, caller, reservationId, digest };
      this.logger.debug(fields, 'execution enqueued');
    } catch (cause) {
      const retryAfterSecs = RETRY_AFTER_SECS;
      throw new ForecourtError('OUTCOME_UNKNOWN', digest, { cause, retryAfterSecs });
    }
  }

  private async add(job: ExecuteTransactionJob, caller: string): Promise<void> {
    // Users of a token share its turns: there may be as many as its owner wants.
    const priority = await this.turns.take(tokenOfCaller(caller));
    const options = { ...executeTransactionJobOptions, jobId: executeTransactionJobId(job) };
    await this.queue.add(this.queue.name, job, { ...options, priority });
  }
}
