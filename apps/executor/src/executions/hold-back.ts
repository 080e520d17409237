import { quarantineExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { ExecutorParts } from './executor-parts.js';
import { OutcomePending } from './outcome-pending.js';

/**
 * Refused, but validators may hold the coins for this digest: they are kept apart, those who wait hear the ledger's own
 * words, and the job goes on until the transaction lands or can never land.
 */
export async function holdBack(
  { redis, ledger, logger, replies }: ExecutorParts,
  job: ExecuteTransactionJob,
  message: string,
): Promise<never> {
  const { reservationId, digest, fence, sponsor } = job;
  const { epoch } = await ledger.status(0);
  const { quarantined, waiters } = await quarantineExecution(redis, sponsor, {
    ...{ reservationId, digest, fence, message, epoch },
  });
  if (quarantined) {
    logger.warn({ ...job, outcome: 'quarantined', message }, 'refused over an object; coins held');
    await replies.refused(job, waiters, message);
  }
  throw new OutcomePending(`quarantined: ${message}`, true);
}
