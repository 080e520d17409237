import {
  BATCH_JOB_VERSION,
  ExecuteBatchJob,
  ExecuteTransactionJob,
  type ExecutionJob,
  readDto,
} from '@forecourt/contracts';
import { type Job, UnrecoverableError } from 'bullmq';
import { OutcomePending } from './outcome-pending.js';

/** Delay before a job that this executor does not understand is offered to all executors again. */
const NEWER_JOB_PAUSE_MS = 1_000;

/**
 * A job of a newer version returns to the queue for newer executors. An invalid job can never be executed, so
 * it is removed from the queue; the coin-pool makes a new one for its claim.
 */
export function readJob(job: Job): ExecutionJob {
  const { version } = (job.data ?? {}) as { readonly version?: unknown };
  if (Number.isSafeInteger(version) && Number(version) > BATCH_JOB_VERSION) {
    const message = `This executor understands jobs up to version ${BATCH_JOB_VERSION}, and this one is of version ${String(version)}: left to a newer executor`;
    throw new OutcomePending(message, { pauseMs: NEWER_JOB_PAUSE_MS });
  }
  try {
    const form = version === BATCH_JOB_VERSION ? ExecuteBatchJob : ExecuteTransactionJob;
    return readDto<ExecutionJob>(form, job.data);
  } catch (error) {
    throw new UnrecoverableError((error as Error).message);
  }
}
