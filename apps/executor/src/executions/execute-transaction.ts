import type { BegunExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutionDependencies } from './execution-dependencies.js';
import type { Execution } from './execution.js';
import { OutcomePending } from './outcome-pending.js';
import { quarantine } from './quarantine.js';
import { recheckClaim } from './recheck-claim.js';
import { refuse } from './refuse.js';
import { resolveQuarantine } from './resolve-quarantine.js';
import { settle } from './settle.js';
import { submitUntilKnown } from './submit-until-known.js';

/**
 * Executes a claimed transaction: begin, check, sign, submit, settle, reply. It may run any number of times for the same
 * job, also concurrently: the ledger executes a digest once and every step names it.
 * Throws `OutcomePending` while the outcome is not known, when the coins stay bound; and what the ledger and Redis throw.
 */
export async function executeTransaction(
  dependencies: ExecutionDependencies,
  job: ExecuteTransactionJob,
): Promise<void> {
  const signer = dependencies.signers.find(job.sponsor);
  // A key that has just been added may reach this executor later than the coin-pool; another one may have it.
  if (!signer) throw new OutcomePending(`This executor has no key for sponsor ${job.sponsor}`);
  passFailpoint('executor:before-begin');
  const { reservationId, digest, fence } = job;
  const begun = await dependencies.steps.begin(job.sponsor, { reservationId, digest, fence });
  if (!begun) {
    dependencies.logger.info({ ...job }, 'Job skipped: its claim is settled or released');
    return;
  }
  passFailpoint('executor:after-begin');
  const checked = recheckClaim(dependencies.ledger, job, begun);
  if ('breach' in checked) {
    await refuseUnsigned(dependencies, job, begun, checked.breach);
    return;
  }
  const execution: Execution = { job, begun, transaction: checked.transaction, signer };
  if (begun.quarantine) return resolveQuarantine(dependencies, execution, begun.quarantine.epoch);
  await submitAndSettle(dependencies, execution);
}

async function submitAndSettle(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<void> {
  const { begun, job } = execution;
  if (begun.resumed) {
    const landed = await dependencies.metrics.step('find', () =>
      dependencies.ledger.findTransaction(job.digest),
    );
    if (landed) return settle(dependencies, execution, landed.effects);
    const { epoch, epochStartedAt } = await dependencies.ledger.status(0);
    if (begun.begunAt < epochStartedAt) return quarantineLost(dependencies, job, epoch);
  }
  const { submission, certain } = await submitUntilKnown(dependencies, execution);
  switch (submission.kind) {
    case 'executed':
      return settle(dependencies, execution, submission.effects);
    case 'unknown':
      throw new OutcomePending(submission.message);
    case 'refused':
      // Only the answer to the first submission ever shows that no validator has locked the coins. The store refuses to
      // reopen a reservation that was resumed, so without this condition its job would end without an outcome.
      return certain && !begun.resumed
        ? refuse(dependencies, job, submission.message, 'ledger')
        : quarantine(dependencies, job, submission);
    case 'conflict':
    case 'missing':
      return quarantine(dependencies, job, submission);
  }
}

/**
 * Its outcome is unknown, and the epoch of its submission is over: validators have no locks for it, but whoever keeps it may
 * submit it again. It is not submitted here any more; its coins are moved on.
 */
function quarantineLost(
  dependencies: ExecutionDependencies,
  job: ExecuteTransactionJob,
  epoch: bigint,
): Promise<never> {
  const message = 'The transaction was not executed before the epoch of its submission ended';
  return quarantine(dependencies, job, { kind: 'unknown', message }, epoch - 1n);
}

/** Does not sign what breaks the rules. Coins stay bound if another executor began before, since it may have signed. */
async function refuseUnsigned(
  dependencies: ExecutionDependencies,
  job: ExecuteTransactionJob,
  begun: BegunExecution,
  breach: Error,
): Promise<void> {
  dependencies.logger.error(
    { ...job, error: breach.message },
    'Claim breaks the sponsorship rules: not signed',
  );
  if (begun.resumed) throw new OutcomePending(breach.message, true);
  await refuse(dependencies, job, breach.message, 'rules');
}
