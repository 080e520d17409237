import { quarantineExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { OutcomePending } from './outcome-pending.js';

/**
 * Its outcome is unknown, and the epoch of its submission is over: validators have no locks for it, but whoever keeps it may
 * submit it again. It is not submitted here any more; its coins are moved on. Nobody is told yet, which is what the empty
 * message says: it may still land until the coins have moved. `submittedEpoch`: the last epoch in which it was submitted.
 * Never returns: throws `OutcomePending`, or what Redis throws.
 */
export async function quarantineUnknown(
  { redis, logger, metrics }: ExecutionDependencies,
  job: ExecuteTransactionJob,
  submittedEpoch: bigint,
): Promise<never> {
  const { reservationId, digest, fence, sponsor } = job;
  const { quarantined } = await quarantineExecution(redis, sponsor, {
    reservationId,
    digest,
    fence,
    message: '',
    epoch: submittedEpoch,
    isExcused: true,
  });
  const message = 'Outcome unknown when the epoch of its submission ended: coins quarantined';
  if (quarantined) {
    passFailpoint('executor:after-quarantine');
    metrics.ends.add({ outcome: 'quarantined', cause: 'unknown' });
    logger.warn({ ...job, outcome: 'quarantined' }, message);
  }
  throw new OutcomePending(message, true);
}
