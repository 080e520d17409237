import { beginExecution, type BegunExecution } from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { DecodedTransaction, Signer } from '@forecourt/ledger';
import type { ExecutorParts } from './executor-parts.js';
import { OutcomePending } from './outcome-pending.js';
import { holdBack } from './hold-back.js';
import { recheckClaim } from './recheck-claim.js';
import { refuse } from './refuse.js';
import { resolveQuarantine } from './resolve-quarantine.js';
import { settle } from './settle.js';
import { submitUntilKnown } from './submit-until-known.js';

/** One claim in the hands of this executor. */
export interface Execution {
  readonly job: ExecuteTransactionJob;
  readonly begun: BegunExecution;
  readonly transaction: DecodedTransaction;
  readonly signer: Signer;
}

/**
 * Takes a claimed transaction to its end: begin, check, sign, submit, settle, reply. May be run any number of times for
 * the same job, also at once: the ledger executes a digest once and every step names it.
 * Throws `OutcomePending` while the outcome is not known; the coins then stay bound.
 */
export async function executeTransaction(
  parts: ExecutorParts,
  job: ExecuteTransactionJob,
): Promise<void> {
  const signer = parts.signers.get(job.sponsor);
  if (!signer) throw new OutcomePending(`no key for sponsor ${job.sponsor}`, true);
  passFailpoint('executor:before-begin');
  const begun = await beginExecution(parts.redis, job.sponsor, {
    reservationId: job.reservationId,
    digest: job.digest,
    fence: job.fence,
    executor: parts.executor,
  });
  if (!begun) {
    parts.logger.info({ ...job }, 'the claim has moved on; nothing to execute');
    return;
  }
  passFailpoint('executor:after-begin');
  const checked = recheckClaim(parts.ledger, job, begun);
  if ('breach' in checked) {
    await holdBackPoison(parts, job, begun, checked.breach);
    return;
  }
  const execution: Execution = { job, begun, transaction: checked.transaction, signer };
  if (begun.quarantine) return resolveQuarantine(parts, execution, begun.quarantine.epoch);
  await submitAndSettle(parts, execution);
}

async function submitAndSettle(parts: ExecutorParts, execution: Execution): Promise<void> {
  const { begun, job } = execution;
  if (begun.resumed) {
    const landed = await parts.metrics.step('find', () => parts.ledger.findTransaction(job.digest));
    if (landed) return settle(parts, execution, landed.effects);
  }
  const { submission, certain } = await submitUntilKnown(parts, execution);
  switch (submission.kind) {
    case 'executed':
      return settle(parts, execution, submission.effects);
    case 'unknown':
      throw new OutcomePending(submission.message);
    case 'refused':
      // Only the first submission ever made can tell that no validator holds the coin.
      return certain && !begun.resumed
        ? refuse(parts, job, submission.message, 'ledger')
        : holdBack(parts, job, submission);
    case 'conflict':
    case 'missing':
      return holdBack(parts, job, submission);
  }
}

/** What the gateway should never have claimed is not signed. If an earlier version of the code may have, it stays bound. */
async function holdBackPoison(
  parts: ExecutorParts,
  job: ExecuteTransactionJob,
  begun: BegunExecution,
  breach: Error,
): Promise<void> {
  parts.logger.error({ ...job, error: breach.message }, 'a claim breaks the rules; not signed');
  if (begun.resumed) throw new OutcomePending(breach.message, true);
  await refuse(parts, job, breach.message, 'rules');
}
