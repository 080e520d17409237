import {
  executeTransactionJobId,
  executeTransactionJobOptions,
  type ExecuteTransactionJob,
  ForecourtError,
} from '@forecourt/contracts';
import type { Queue } from 'bullmq';

const TIMEOUT_MS = 3_000;
const RETRY_AFTER_SECS = 2;

/** Hands a claim to the executors. Doing it again is the same job. Raises OUTCOME_UNKNOWN when the queue does not answer. */
export class EnqueueExecution {
  constructor(private readonly queue: Queue<ExecuteTransactionJob>) {}

  async run({ sponsor, reservationId, digest, fence }: ExecuteTransactionJob): Promise<void> {
    const job = { sponsor, reservationId, digest, fence };
    const options = { ...executeTransactionJobOptions, jobId: executeTransactionJobId(job) };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the queue did not answer in time')), TIMEOUT_MS);
    });
    try {
      await Promise.race([this.queue.add(this.queue.name, job, options), late]);
    } catch (cause) {
      throw new ForecourtError('OUTCOME_UNKNOWN', digest, {
        cause,
        retryAfterSecs: RETRY_AFTER_SECS,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}
