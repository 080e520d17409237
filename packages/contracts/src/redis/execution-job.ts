import { IsObject, IsOptional, ValidateIf } from 'class-validator';
import type { Waiter } from '../messages/find-messages.js';
import { IsDto, IsOneOf, IsPositiveInteger } from '../validation/rules.js';
import { IsName, IsText, MAX_MESSAGE_LENGTH } from '../validation/text-rules.js';

/** The queue that carries claimed transactions from coin-pools to executors. */
export const EXECUTE_TRANSACTION_QUEUE = 'execute-transaction';

/**
 * The version of the jobs: the one that coin-pools enqueue, and the newest that executors understand. It
 * is raised if an older executor would misinterpret the job.
 */
export const JOB_VERSION = 1;

/** The job's data: it names the claim, which holds the bytes and the signature. */
export class ExecuteTransactionJob {
  /** See `JOB_VERSION`; absent: the first. */
  @IsOptional() @IsPositiveInteger() readonly version?: number;
  @IsName() readonly sponsor!: string;
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly digest!: string;
  @IsPositiveInteger() readonly fence!: number;

  /** The id of the request that it was enqueued for, for the log; absent from a job that was enqueued again. */
  @IsOptional() @IsName() readonly requestId?: string;
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

const outcomeKinds = ['executed', 'local', 'refused'] as const;

export type ExecutionOutcome =
  /** The effects are final; the ledger's own JSON. */
  | { readonly kind: 'executed'; readonly effects: Record<string, unknown> }
  /** Follows `executed`: the read node shows the transaction, or has not shown it in time. */
  | { readonly kind: 'local' }
  /** The ledger refused it; its own message. */
  | { readonly kind: 'refused'; readonly message: string };

/** The fields of every kind of outcome. */
class OutcomeFields {
  @IsOneOf(outcomeKinds) readonly kind!: ExecutionOutcome['kind'];

  @ValidateIf(({ kind }: OutcomeFields) => kind === 'executed')
  @IsObject()
  readonly effects?: Record<string, unknown>;

  @ValidateIf(({ kind }: OutcomeFields) => kind === 'refused')
  @IsText({ minLength: 0, maxLength: MAX_MESSAGE_LENGTH })
  readonly message?: string;
}

/** The outcome that an executor publishes over Redis to the waiting gateways. If it is lost, they ask the coin-pool. */
export class ExecutionReply {
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly digest!: string;
  @IsPositiveInteger() readonly fence!: number;
  @IsDto(OutcomeFields) readonly outcome!: ExecutionOutcome;
}

/** The channel on which one gateway process receives outcomes. */
export function executionReplyChannel(gateway: Waiter['gateway']): string {
  return `fc:replies:${gateway}`;
}
