import {
  type CoinStoreRedis,
  expireReservations,
  type InFlight,
  listInFlight,
  listOverdueClaims,
  releaseClaim,
} from '@forecourt/coin-store';
import {
  type ExecuteTransactionJob,
  executeTransactionJobId,
  executeTransactionJobOptions,
  JOB_VERSION,
} from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Logger } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import type { CoinPoolConfig } from '../coin-pool-config.js';
import type { PoolMetrics } from '../metrics/pool-metrics.js';
import { promoteLate } from './promote-late.js';

const BATCH_SIZE = 100;

/** Dependencies of sweeping. */
export interface SweepDependencies {
  readonly redis: CoinStoreRedis;
  readonly queue: Queue<ExecuteTransactionJob>;
  readonly ledger: Pick<Ledger, 'findTransaction'>;
  readonly settings: Pick<CoinPoolConfig, 'requeueAfterMs' | 'retentionMs'>;
  readonly metrics: Pick<PoolMetrics, 'expired' | 'repairs'>;
  readonly logger: Logger;
}

/** Expires reservations past their deadline; their coins become available again. */
export async function sweepExpired(
  { redis, settings, metrics }: SweepDependencies,
  sponsor: string,
): Promise<void> {
  const sweep = { limit: BATCH_SIZE, retentionMs: settings.retentionMs };
  let expired: number;
  do {
    expired = await expireReservations(redis, sponsor, sweep);
    metrics.expired.add({}, expired);
  } while (expired === BATCH_SIZE);
}

/**
 * Ends claims whose lease is over and that have no job: their gateway died before it enqueued one, or Redis has
 * lost the writes after the claim. In the second case the transaction may have landed: it is executed once more,
 * which finds that outcome. All other claims are released. Throws `LedgerUnreachable`.
 */
export async function sweepClaims(dependencies: SweepDependencies, sponsor: string): Promise<void> {
  const { redis, ledger } = dependencies;
  let ended: number;
  do {
    ended = 0;
    for (const claim of await listOverdueClaims(redis, sponsor, BATCH_SIZE)) {
      if (await hasJob(dependencies, claim)) continue;
      if (await ledger.findTransaction(claim.digest)) await enqueueAgain(dependencies, claim);
      else await releaseOrphaned(dependencies, sponsor, claim);
      ended += 1;
    }
  } while (ended === BATCH_SIZE);
}

async function releaseOrphaned(
  { redis, settings, logger, metrics }: SweepDependencies,
  sponsor: string,
  claim: InFlight,
): Promise<void> {
  const { reservationId, fence } = claim;
  const { retentionMs } = settings;
  if (!(await releaseClaim(redis, sponsor, { reservationId, fence, retentionMs }))) return;
  metrics.repairs.add({ cause: 'claim_without_job' });
  logger.warn({ ...claim, repair: 'released' }, 'Orphaned claim released');
}

/** Enqueues executions with a lost job again, and starts those whose job waits for a wrong clock. */
export async function sweepExecutions(
  dependencies: SweepDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, settings } = dependencies;
  for (const state of ['executing', 'quarantined'] as const) {
    const query = { state, olderThanMs: settings.requeueAfterMs, limit: BATCH_SIZE };
    for (const execution of await listInFlight(redis, sponsor, query)) {
      const job = await dependencies.queue.getJob(executeTransactionJobId(execution));
      if (!job) await enqueueAgain(dependencies, execution);
      else if (await promoteLate(dependencies, job)) reportPromoted(dependencies, execution);
    }
  }
}

async function enqueueAgain(
  { queue, logger, metrics }: SweepDependencies,
  execution: InFlight,
): Promise<void> {
  passFailpoint('coin-pool:before-requeue');
  const jobId = executeTransactionJobId(execution);
  const job = { version: JOB_VERSION, ...execution };
  await queue.add(queue.name, job, { ...executeTransactionJobOptions, jobId });
  metrics.repairs.add({ cause: 'execution_without_job' });
  logger.warn({ ...execution, repair: 'requeued' }, 'Lost execution job enqueued again');
}

function reportPromoted({ logger, metrics }: SweepDependencies, execution: InFlight): void {
  metrics.repairs.add({ cause: 'execution_delayed' });
  logger.warn({ ...execution, repair: 'promoted' }, 'Execution job was delayed by a wrong clock');
}

/** Finished jobs leave the queue, so one that is in the queue will run. */
async function hasJob({ queue }: SweepDependencies, execution: InFlight): Promise<boolean> {
  return (await queue.getJob(executeTransactionJobId(execution))) !== undefined;
}
