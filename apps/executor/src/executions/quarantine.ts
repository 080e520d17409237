import { quarantineExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Submission } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { OutcomePending } from './outcome-pending.js';

type UnsettledSubmission = Exclude<Submission, { kind: 'executed' | 'unknown' }>;

/** Added to the time for which validators lock objects, so that the locks are gone for certain. */
const LOCK_MARGIN_MS = 500;

/**
 * Not executed, but validators may have locked the coins for this digest: the coins are quarantined, the waiters receive the
 * ledger's message, and the job is repeated until the transaction lands or can never land. Never returns: throws
 * `OutcomePending`, or what the ledger and Redis throw.
 */
export async function quarantine(
  { redis, ledger, logger, replies, metrics }: ExecutionDependencies,
  job: ExecuteTransactionJob,
  { kind, message }: UnsettledSubmission,
): Promise<never> {
  const { reservationId, digest, fence, sponsor } = job;
  const { epoch, objectLockMs } = await ledger.status(0);
  const { quarantined, waiters } = await quarantineExecution(redis, sponsor, {
    reservationId,
    digest,
    fence,
    message,
    epoch: objectLockMs === null ? epoch : epoch - 1n,
  });
  if (quarantined) {
    passFailpoint('executor:after-quarantine');
    metrics.ends.add({ outcome: 'quarantined', cause: kind });
    logger.warn(
      { ...job, outcome: 'quarantined', message },
      'Transaction not executed, but it may still be: coins quarantined',
    );
    await replies.sendRefusal(job, waiters, message);
  }
  const pauseMs = objectLockMs === null ? undefined : objectLockMs + LOCK_MARGIN_MS;
  throw new OutcomePending(`Quarantined: ${message}`, true, pauseMs);
}
