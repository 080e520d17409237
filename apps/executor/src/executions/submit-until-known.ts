import { setTimeout as delay } from 'node:timers/promises';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Submission } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { isStillBound } from './is-still-bound.js';

const QUICK_RETRIES_MS = [200, 400, 1_000];

/**
 * Signs and submits. While the outcome is unknown, or validators do not know an object yet, it looks for the digest and
 * submits the same bytes again, a few times in quick succession. `isOnly`: nobody has submitted it before this submission.
 * Null when the claim has ended meanwhile: nothing was submitted.
 */
export async function submitUntilKnown(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<{ readonly submission: Submission; readonly isOnly: boolean } | null> {
  const { ledger, metrics } = dependencies;
  const { transaction, begun, signer, job, askedAt } = execution;
  const own = await metrics.step('sign', () => signer.signTransaction(transaction.bytes));
  passFailpoint('executor:after-sign');
  const submit = () =>
    metrics.step('submit', () => ledger.submit(transaction.bytes, [begun.userSig, own]));
  const find = () => metrics.step('find', () => ledger.findTransaction(job.digest));
  if (!(await isStillBound(dependencies, job, askedAt))) return null;
  const first = await submit();
  passFailpoint('executor:after-submit');
  if (!mayChange(first)) return { submission: first, isOnly: !begun.resumed };
  let latest: Submission = first;
  for (const pause of QUICK_RETRIES_MS) {
    await delay(pause);
    const landed = await find().catch(() => null);
    if (landed) {
      return { submission: { kind: 'executed', effects: landed.effects }, isOnly: false };
    }
    if (!(await maySubmitAgain(dependencies, execution))) break;
    latest = await submit();
    if (!mayChange(latest)) break;
  }
  return { submission: latest, isOnly: false };
}

function mayChange({ kind }: Submission): boolean {
  return kind === 'unknown' || kind === 'missing';
}

/** Not when the claim has meanwhile ended or been quarantined: its coins may be another transaction's. */
async function maySubmitAgain(
  dependencies: ExecutionDependencies,
  { job }: Execution,
): Promise<boolean> {
  try {
    return await isStillBound(dependencies, job);
  } catch (error) {
    dependencies.logger.debug(
      { digest: job.digest, error: String(error) },
      'Not submitted again: Redis unreachable',
    );
    return false;
  }
}
