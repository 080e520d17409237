import { ArrayMaxSize, ArrayMinSize, IsOptional } from 'class-validator';
import { IsArrayOfDtos, IsIntegerBetween, IsName, IsPositiveInteger } from '../dto/index.js';

/** The queue that carries claimed transactions from coin-pools to executors. */
export const EXECUTE_TRANSACTION_QUEUE = 'execute-transaction';

/** The version of a job with one claim. */
export const JOB_VERSION = 1;
/**
 * The version of a job with several claims, the newest that executors understand. It is raised if an older
 * executor would misinterpret the job.
 */
export const BATCH_JOB_VERSION = 2;

/** Most claims in one job. */
export const MAX_CLAIMS_PER_JOB = 20;

/** A claim as a job names it: the claim itself holds the bytes and the signature. */
export class QueuedClaim {
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly digest!: string;
  @IsPositiveInteger() readonly fence!: number;

  /**
   * The id of the request that it was enqueued for, for the log; absent from a job that was enqueued again.
   */
  @IsOptional() @IsName() readonly requestId?: string;
}

/** The data of a job with one claim. */
export class ExecuteTransactionJob extends QueuedClaim {
  /** Absent: the first. */
  @IsOptional() @IsPositiveInteger() readonly version?: number;
  @IsName() readonly sponsor!: string;
}

const CLAIMS = `claims must have 2 to ${MAX_CLAIMS_PER_JOB} claims`;

/** The data of a job with several claims of one sponsor and one token. */
export class ExecuteBatchJob {
  @IsIntegerBetween(BATCH_JOB_VERSION, BATCH_JOB_VERSION) readonly version!: number;
  @IsName() readonly sponsor!: string;
  @ArrayMinSize(2, { message: CLAIMS })
  @ArrayMaxSize(MAX_CLAIMS_PER_JOB, { message: CLAIMS })
  @IsArrayOfDtos(QueuedClaim)
  readonly claims!: readonly QueuedClaim[];
}

export type ExecutionJob = ExecuteTransactionJob | ExecuteBatchJob;

/** The claims of a job of either version. */
export function claimsOfJob(job: ExecutionJob): readonly ExecuteTransactionJob[] {
  if (!('claims' in job)) return [job];
  return job.claims.map((claim) => ({ version: JOB_VERSION, sponsor: job.sponsor, ...claim }));
}

/** One job per claim: enqueueing it twice adds one job; a claim after a refusal gets another. */
export function executeTransactionJobId(
  claim: Pick<ExecuteTransactionJob, 'digest' | 'fence' | 'reservationId'>,
): string {
  return `${claim.digest}-${claim.reservationId}-${claim.fence}`;
}

/** A claim is put into a job with others at most once, so its first claim and its size name such a job. */
export function executeBatchJobId({ claims }: Pick<ExecuteBatchJob, 'claims'>): string {
  return `${executeTransactionJobId(claims[0]!)}-${claims.length}`;
}

/** Number of claims of the job with this id. */
export function countClaimsOfJob(id: string): number {
  return Number(id.split('-')[3] ?? 1);
}

/** Reads the content of a job id. */
export function readExecuteTransactionJobId(
  id: string,
): Pick<ExecuteTransactionJob, 'digest' | 'reservationId'> {
  const [digest = '', reservationId] = id.split('-');
  return { digest, reservationId: Number(reservationId) };
}

/**
 * Jobs run at least once and are never abandoned: retries have no practical limit. A job leaves the queue as
 * soon as it is done, so that an id in the queue always means a live job.
 */
export const executeTransactionJobOptions = {
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/** `maxStalledCount` of the workers: a stalled job is always restarted. */
export const MAX_STALLED_COUNT = Number.MAX_SAFE_INTEGER;
