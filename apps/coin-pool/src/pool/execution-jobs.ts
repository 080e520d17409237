import {
  type ExecuteTransactionJob,
  executeTransactionJobId,
  executeTransactionJobOptions,
  type FindReservationMessage,
  ForecourtError,
  JOB_VERSION,
  tokenOfCaller,
} from '@forecourt/contracts';
import { within } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Turns } from '@forecourt/runtime/queue';
import type { Logger } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';

const TIMEOUT_MS = 3_000;
const RETRY_AFTER_SECS = 2;

/** The transaction of a job, with the request and the trace that it belongs to. */
type JobSubject = Pick<
  FindReservationMessage,
  'digest' | 'requestId' | 'reservationId' | 'traceparent'
>;

interface JobTerms extends Pick<ExecuteTransactionJob, 'fence' | 'sponsor'> {
  readonly turn: number;
}

/** Hands claims to the executors, which take the jobs of all tokens in turn. */
export class ExecutionJobs {
  constructor(
    private readonly queue: Pick<Queue<ExecuteTransactionJob>, 'name' | 'add'>,
    private readonly turns: Pick<Turns, 'take'>,
    private readonly logger: Pick<Logger, 'debug'>,
  ) {}

  /**
   * The turn of the caller's next job, which a caller takes while its claim is being made. Users of a token share its
   * turns: there may be as many users as the token's owner wants.
   */
  takeTurn(caller: string): Promise<number> {
    return this.turns.take(tokenOfCaller(caller));
  }

  /**
   * Adds the job of a claim; a claim has one job, however often it is added. Throws OUTCOME_UNKNOWN if the queue does not
   * answer.
   */
  async add(subject: JobSubject, { sponsor, fence, turn }: JobTerms): Promise<void> {
    const { reservationId, digest, requestId, traceparent } = subject;
    const job = {
      version: JOB_VERSION,
      sponsor,
      reservationId,
      digest,
      fence,
      ...(requestId !== undefined && { requestId }),
    };
    const jobId = executeTransactionJobId(job);
    const options = {
      ...executeTransactionJobOptions,
      jobId,
      priority: turn,
      ...(traceparent !== undefined && {
        telemetry: { metadata: JSON.stringify({ traceparent }) },
      }),
    };
    try {
      await within(this.queue.add(this.queue.name, job, options), TIMEOUT_MS, 'Enqueueing');
    } catch (cause) {
      const retryAfterSecs = RETRY_AFTER_SECS;
      throw new ForecourtError('OUTCOME_UNKNOWN', digest, { cause, retryAfterSecs });
    }
    passFailpoint('coin-pool:after-enqueue');
    this.logger.debug({ requestId, reservationId, digest }, 'execution enqueued');
  }
}
