import { quarantineExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Submission } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { OutcomePending } from './outcome-pending.js';

type ContestedSubmission = Extract<Submission, { kind: 'conflict' | 'missing' | 'refused' }>;

/**
 * Refused, but validators may have locked the coins for this digest: the coins are quarantined, the waiters receive the
 * ledger's message, and the job is repeated until the transaction lands or can never land. Always throws `OutcomePending`.
 */
export async function quarantine(
  { redis, ledger, logger, replies, metrics }: ExecutionDependencies,
  job: ExecuteTransactionJob,
  { kind, message }: ContestedSubmission,
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
    logger.warn(
      { ...job, outcome: 'quarantined', message },
      'Transaction refused over an object: coins quarantined',
    );
    await replies.refused(job, waiters, message);
  }
  throw new OutcomePending(`Quarantined: ${message}`, true);
}
