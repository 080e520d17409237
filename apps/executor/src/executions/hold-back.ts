import { quarantineExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Submission } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutorParts } from './executor-parts.js';
import { OutcomePending } from './outcome-pending.js';

type HeldSubmission = Extract<Submission, { kind: 'conflict' | 'missing' | 'refused' }>;

/**
 * Refused, but validators may hold the coins for this digest: they are kept apart, those who wait hear the ledger's own
 * words, and the job goes on until the transaction lands or can never land.
 */
export async function holdBack(
  { redis, ledger, logger, replies, metrics }: ExecutorParts,
  job: ExecuteTransactionJob,
  { kind, message }: HeldSubmission,
): Promise<never> {
  const { reservationId, digest, fence, sponsor } = job;
  const { epoch } = await ledger.status(0);
  const { quarantined, waiters } = await quarantineExecution(redis, sponsor, {
    reservationId,
    digest,
    fence,
    message,
    epoch,
  });
  if (quarantined) {
    passFailpoint('executor:after-quarantine');
    metrics.ends.add({ outcome: 'quarantined', cause: kind });
    logger.warn({ ...job, outcome: 'quarantined', message }, 'refused over an object; coins held');
    await replies.refused(job, waiters, message);
  }
  throw new OutcomePending(`quarantined: ${message}`, true);
}
