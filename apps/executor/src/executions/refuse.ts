import { refuseExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutionDependencies } from './execution-dependencies.js';

/**
 * Refused for certain, by the ledger or this service's rules: the reservation can be used again, the waiters
 * receive the reason.
 */
export async function refuse(
  { redis, logger, replies, retentionMs, metrics }: ExecutionDependencies,
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
  logger.info({ ...job, outcome: 'refused', cause, message }, 'Transaction refused');
  await replies.sendRefusal(job, waiters, message);
}
