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
import { EXECUTION_QUEUE, Turns } from '@forecourt/runtime/queue';
import { logFields } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';

const TIMEOUT_MS = 3_000;
const RETRY_AFTER_SECS = 2;

/**
 * Hands a claim to the executors, which take the jobs of all tokens in turn. Enqueueing it again adds no second job.
 */
@Injectable()
export class EnqueueExecution {
  constructor(
    @Inject(EXECUTION_QUEUE)
    private readonly queue: Pick<Queue<ExecuteTransactionJob>, 'name' | 'add'>,
    @Inject(Turns) private readonly turns: Pick<Turns, 'take'>,
  ) {}

  /** Throws OUTCOME_UNKNOWN when the queue does not answer. */
  async run(
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
    const jobId = executeTransactionJobId(job);
    const add = async () => {
      // Users of a token share its turns: there may be as many as its owner wants.
      const priority = await this.turns.take(tokenOfCaller(caller));
      await this.queue.add(this.queue.name, job, {
        ...executeTransactionJobOptions,
        jobId,
        priority,
      });
    };
    try {
      await within(add(), TIMEOUT_MS, 'Enqueueing');
      passFailpoint('gateway:after-enqueue');
    } catch (cause) {
      throw new ForecourtError('OUTCOME_UNKNOWN', digest, {
        cause,
        retryAfterSecs: RETRY_AFTER_SECS,
      });
    }
  }
}
