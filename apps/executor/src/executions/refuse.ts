import { refuseExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { ExecutorParts } from './executor-parts.js';

/** Refused for certain: the reservation can be used again, and those who wait hear the ledger's own words. */
export async function refuse(
  { redis, logger, replies, retentionMs }: ExecutorParts,
  job: ExecuteTransactionJob,
  message: string,
): Promise<void> {
  const { reservationId, digest, fence, sponsor } = job;
  const { refused, waiters } = await refuseExecution(redis, sponsor, {
    ...{ reservationId, digest, fence, message, retentionMs },
  });
  if (!refused) return;
  logger.info({ ...job, outcome: 'refused', message }, 'the ledger refused the transaction');
  await replies.refused(job, waiters, message);
}
