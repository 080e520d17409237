import {
  executeTransactionJobId,
  executeTransactionJobOptions,
  type ExecuteTransactionJob,
  ForecourtError,
} from '@forecourt/contracts';
import { logFields } from '@forecourt/runtime/service';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Queue } from 'bullmq';
import { within } from '../within.js';

const TIMEOUT_MS = 3_000;
const RETRY_AFTER_SECS = 2;

/** Hands a claim to the executors. Doing it again is the same job. Raises OUTCOME_UNKNOWN when the queue does not answer. */
export class EnqueueExecution {
  constructor(private readonly queue: Queue<ExecuteTransactionJob>) {}

  async run({ sponsor, reservationId, digest, fence }: ExecuteTransactionJob): Promise<void> {
    const requestId = logFields()['requestId'];
    const job = {
      sponsor,
      reservationId,
      digest,
      fence,
      ...(requestId !== undefined && { requestId: String(requestId) }),
    };
    const options = { ...executeTransactionJobOptions, jobId: executeTransactionJobId(job) };
    try {
      await within(this.queue.add(this.queue.name, job, options), TIMEOUT_MS, 'the queue');
      passFailpoint('gateway:after-enqueue');
    } catch (cause) {
      throw new ForecourtError('OUTCOME_UNKNOWN', digest, {
        cause,
        retryAfterSecs: RETRY_AFTER_SECS,
      });
    }
  }
}
