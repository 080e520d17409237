import { IsOptional } from 'class-validator';
import { IsPositiveInteger } from '../validation/is-integer-between.js';
import { IsName } from '../validation/is-text.js';

/** The queue that carries claimed transactions from gateways to executors. */
export const EXECUTE_TRANSACTION_QUEUE = 'execute-transaction';

/**
 * The version of the jobs: the one that gateways and coin-pools enqueue, and the newest that executors understand. It
 * is raised if an older executor would misinterpret the job.
 */
export const JOB_VERSION = 1;

/** The job's data: it names the claim, which holds the bytes and the signature. */
export class ExecuteTransactionJob {
  /** See `JOB_VERSION`; absent: the first. */
  @IsOptional()
  @IsPositiveInteger()
  readonly version?: number;

  @IsName()
  readonly sponsor!: string;

  @IsPositiveInteger()
  readonly reservationId!: number;

  @IsName()
  readonly digest!: string;

  @IsPositiveInteger()
  readonly fence!: number;

  /** The id of the request that it was enqueued for, for the log; absent from a job that was enqueued again. */
  @IsOptional()
  @IsName()
  readonly requestId?: string;
}

/** One job per claim: enqueueing it twice adds one job; a claim after a refusal gets another. */
export function executeTransactionJobId(job: ExecuteTransactionJob): string {
  return `${job.digest}-${job.reservationId}-${job.fence}`;
}

/** Reads the content of a job id. */
export function readExecuteTransactionJobId(
  id: string,
): Pick<ExecuteTransactionJob, 'digest' | 'reservationId'> {
  const [digest = '', reservationId] = id.split('-');
  return { digest, reservationId: Number(reservationId) };
}

/**
 * Jobs run at least once and are never abandoned: retries have no practical limit. A job leaves the queue as soon as it
 * is done, so that an id in the queue always means a live job.
 */
export const executeTransactionJobOptions = {
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/** `maxStalledCount` of the workers: a stalled job is always restarted. */
export const MAX_STALLED_COUNT = Number.MAX_SAFE_INTEGER;
