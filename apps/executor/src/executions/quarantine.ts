import { quarantineExecution } from '@forecourt/coin-store';
import type { Submission } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { resolveQuarantine } from './resolve-quarantine.js';

type UnsettledSubmission = Exclude<Submission, { kind: 'executed' }>;

/**
 * Not executed, but it may still be: the coins stay bound until the ledger excludes that, and until then no caller
 * receives a refusal. It is not submitted again. `unknown`: no node reported its outcome, and the epoch of its
 * submission is over; this does not count against the caller. `epoch`: of the last submission. Throws
 * `OutcomePending` until the quarantine has ended, and the errors of the ledger and Redis.
 */
export async function quarantine(
  dependencies: ExecutionDependencies,
  execution: Execution,
  { kind, message }: UnsettledSubmission,
  epoch: bigint,
): Promise<void> {
  const { redis, logger, metrics } = dependencies;
  const { job } = execution;
  const { reservationId, digest, fence, sponsor } = job;
  const { quarantined, isCurrent } = await quarantineExecution(redis, sponsor, {
    reservationId,
    digest,
    fence,
    message,
    epoch,
    isExcused: kind === 'unknown',
  });
  if (!isCurrent) return;
  if (quarantined) {
    passFailpoint('executor:after-quarantine');
    metrics.ends.add({ outcome: 'quarantined', cause: kind });
    logger.warn(
      { ...job, outcome: 'quarantined', message },
      'Transaction not executed, but it may still be: coins quarantined',
    );
  }
  const begun = { message, epoch, movedOnBy: null, ageMs: 0, isExcluded: false };
  await resolveQuarantine(dependencies, execution, begun);
}
