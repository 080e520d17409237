import type { BegunExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { ExecutionDependencies } from './execution-dependencies.js';
import type { Execution } from './execution.js';
import { OutcomePending } from './outcome-pending.js';
import { quarantine } from './quarantine.js';
import { quarantineUnknown } from './quarantine-unknown.js';
import { recheckClaim } from './recheck-claim.js';
import { refuse } from './refuse.js';
import { resolveQuarantine } from './resolve-quarantine.js';
import { settle } from './settle.js';
import { settleIfLanded } from './settle-if-landed.js';
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
    // The epoch first: a node that has seen it end knows every transaction that landed in it.
    const { epoch, epochStartedAt } = await dependencies.ledger.status(0);
    if (await settleIfLanded(dependencies, execution)) return;
    if (begun.begunAt < epochStartedAt) return quarantineUnknown(dependencies, job, epoch - 1n);
  }
  const { submission, certain } = await submitUntilKnown(dependencies, execution);
  if (submission.kind === 'executed') return settle(dependencies, execution, submission.effects);
  if (submission.kind === 'unknown') throw new OutcomePending(submission.message);
  // Only the answer to the first submission ever shows that no validator has locked the coins. The store refuses to reopen a
  // reservation that was resumed, so without this condition its job would end without an outcome.
  const isOnlySubmission = certain && !begun.resumed;
  if (submission.kind === 'refused' && isOnlySubmission) {
    return refuse(dependencies, job, submission.message, 'ledger');
  }
  // An earlier submission may be what this one was refused for.
  if (!isOnlySubmission && (await settleIfLanded(dependencies, execution))) return;
  await quarantine(dependencies, job, submission);
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
