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
import { settleIfLanded } from './settle-if-landed.js';
import { submitUntilKnown } from './submit-until-known.js';

/**
 * Executes a claimed transaction: begin, check, sign, submit, settle, reply. It may run any number of times for the
 * same job, also concurrently: the ledger executes a digest once and every step names it. Throws `OutcomePending`
 * while the outcome is unknown, with the coins still bound; also the errors of the ledger and Redis.
 */
export async function executeTransaction(
  dependencies: ExecutionDependencies,
  job: ExecuteTransactionJob,
): Promise<void> {
  const signer = dependencies.signers.find(job.sponsor);
  // A new key may reach this executor later than the coin-pool; another executor may have it.
  if (!signer) throw new OutcomePending(`This executor has no key for sponsor ${job.sponsor}`);
  passFailpoint('executor:before-begin');
  const { reservationId, digest, fence } = job;
  const askedAt = performance.now();
  const begun = await dependencies.steps.begin(job.sponsor, { reservationId, digest, fence });
  if (!begun) return skip(dependencies, job);
  passFailpoint('executor:after-begin');
  const checked = recheckClaim(dependencies.ledger, job, begun);
  if ('breach' in checked) {
    await refuseUnsigned(dependencies, job, begun, checked.breach);
    return;
  }
  const execution: Execution = { job, begun, askedAt, transaction: checked.transaction, signer };
  if (begun.quarantine) return resolveQuarantine(dependencies, execution, begun.quarantine);
  await submitAndSettle(dependencies, execution);
}

async function submitAndSettle(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<void> {
  const { begun, job } = execution;
  if (begun.resumed) {
    // Reads the epoch first: a node that has seen it end knows every transaction that landed in it.
    const { epoch } = await dependencies.ledger.status(0);
    if (await settleIfLanded(dependencies, execution)) return;
    if (begun.unknownIn !== null && begun.unknownIn < epoch) {
      return quarantine(dependencies, execution, { kind: 'unknown', message: '' }, epoch - 1n);
    }
  }
  const outcome = await submitUntilKnown(dependencies, execution);
  if (outcome === null) return skip(dependencies, job);
  const { submission, isOnly } = outcome;
  if (submission.kind === 'executed') return settle(dependencies, execution, submission.effects);
  // After a single submission, the refusal proves that no validator holds the coins. A refusal after several
  // submissions proves nothing about the other ones.
  if (submission.kind === 'refused' && isOnly) {
    return refuse(dependencies, job, submission.message, 'ledger');
  }
  // Once the last epoch of all submissions is over, the coins need not wait any longer.
  if (submission.kind === 'unknown') {
    if (outcome.endedIn !== null)
      await dependencies.steps.noteUnknown(job.sponsor, job, outcome.endedIn);
    throw new OutcomePending(submission.message);
  }
  // An earlier submission may be the reason for this refusal.
  if (!isOnly && (await settleIfLanded(dependencies, execution))) return;
  const { epoch } = await dependencies.ledger.status(0);
  await quarantine(dependencies, execution, submission, epoch);
}

function skip({ logger }: ExecutionDependencies, job: ExecuteTransactionJob): void {
  logger.info(
    { ...job },
    'Job skipped: its claim is settled or released, or another executor quarantined it',
  );
}

/**
 * Does not sign a transaction that breaks the rules. Coins stay bound if another executor began before, since it
 * may have signed.
 */
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
  if (begun.resumed) throw new OutcomePending(breach.message, 'slow');
  await refuse(dependencies, job, breach.message, 'rules');
}
