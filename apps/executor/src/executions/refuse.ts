import { refuseExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutorParts } from './executor-parts.js';

/** Refused for certain, by the ledger or by this service's own rules: the reservation can be used again, and those who wait hear why. */
export async function refuse(
  { redis, logger, replies, retentionMs, metrics }: ExecutorParts,
  job: ExecuteTransactionJob,
  message: string,
  cause: 'ledger' | 'rules',
): Promise<void> {
  const { reservationId, digest, fence, sponsor } = job;
  const { refused, waiters } = await refuseExecution(redis, sponsor, {
    reservationId,
    digest,
    fence,
    message,
    retentionMs,
  });
  if (!refused) return;
  passFailpoint('executor:after-refuse');
  metrics.ends.add({ outcome: 'refused', cause });
  logger.info({ ...job, outcome: 'refused', cause, message }, 'the transaction is refused');
  await replies.refused(job, waiters, message);
}
