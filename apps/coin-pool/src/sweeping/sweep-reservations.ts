import {
  expireReservations,
  type InFlight,
  listInFlight,
  listOverdueClaims,
  reclaimClaim,
} from '@forecourt/coin-store';
import { executeTransactionJobId, executeTransactionJobOptions } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { PoolParts } from '../pool/pool-parts.js';

const AT_ONCE = 100;

/** Lets the coins of reservations past their deadline rest again. */
export async function sweepExpired(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, settings, metrics } = parts;
  const sweep = { limit: AT_ONCE, retentionMs: settings.retentionMs };
  let expired: number;
  do {
    expired = await expireReservations(redis, sponsor, sweep);
    metrics.expired.add({}, expired);
  } while (expired === AT_ONCE);
}

/** Opens claims again whose lease is over and for which no job lives: their gateway died before it enqueued. */
export async function sweepClaims(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, settings, logger, metrics } = parts;
  for (const claim of await listOverdueClaims(redis, sponsor, AT_ONCE)) {
    if (await hasLivingJob(parts, claim)) continue;
    const { reservationId, fence } = claim;
    const { retentionMs } = settings;
    if (await reclaimClaim(redis, sponsor, { reservationId, fence, retentionMs })) {
      metrics.repairs.add({ cause: 'claim_without_job' });
      logger.warn({ ...claim, repair: 'reclaimed' }, 'a claim had no job; it is open again');
    }
  }
}

/** Gives executions whose job is lost their job again. */
export async function sweepExecutions(parts: PoolParts, sponsor: string): Promise<void> {
  const { redis, settings, queue, logger, metrics } = parts;
  for (const state of ['executing', 'quarantined'] as const) {
    const query = { state, olderThanMs: settings.requeueAfterMs, limit: AT_ONCE };
    for (const execution of await listInFlight(redis, sponsor, query)) {
      if (await hasLivingJob(parts, execution)) continue;
      passFailpoint('coin-pool:before-requeue');
      const jobId = executeTransactionJobId(execution);
      await queue.add(queue.name, execution, { ...executeTransactionJobOptions, jobId });
      metrics.repairs.add({ cause: 'execution_without_job' });
      logger.warn({ ...execution, repair: 'requeued' }, 'an execution had lost its job');
    }
  }
}

/** Jobs leave the queue when they are done, so one that is there will run. */
async function hasLivingJob({ queue }: PoolParts, execution: InFlight): Promise<boolean> {
  return (await queue.getJob(executeTransactionJobId(execution))) !== undefined;
}
