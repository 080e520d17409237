import { setTimeout as delay } from 'node:timers/promises';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Submission } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';

const QUICK_RETRIES_MS = [200, 400, 1_000];

/**
 * Signs and submits. While the outcome is unknown, or validators do not know an object yet, it looks for the digest and
 * submits the same bytes again, a few times in quick succession. `certain`: the answer is that of the first submission.
 */
export async function submitUntilKnown(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<{ readonly submission: Submission; readonly certain: boolean }> {
  const { ledger, metrics } = dependencies;
  const { transaction, begun, signer, job } = execution;
  const own = await metrics.step('sign', () => signer.signTransaction(transaction.bytes));
  passFailpoint('executor:after-sign');
  const submit = () =>
    metrics.step('submit', () => ledger.submit(transaction.bytes, [begun.userSig, own]));
  const find = () => metrics.step('find', () => ledger.findTransaction(job.digest));
  const first = await submit();
  passFailpoint('executor:after-submit');
  if (!mayChange(first)) return { submission: first, certain: true };
  let latest: Submission = first;
  for (const pause of QUICK_RETRIES_MS) {
    await delay(pause);
    const landed = await find().catch(() => null);
    if (landed) {
      return { submission: { kind: 'executed', effects: landed.effects }, certain: false };
    }
    if (!(await maySubmitAgain(dependencies, execution))) break;
    latest = await submit();
    if (!mayChange(latest)) break;
  }
  return { submission: latest, certain: false };
}

function mayChange({ kind }: Submission): boolean {
  return kind === 'unknown' || kind === 'missing';
}

/**
 * Not after the epoch in which it was begun, for which a quarantine would then wait; and not when the claim has meanwhile ended
 * or been quarantined, since its coins may be another transaction's.
 */
async function maySubmitAgain(
  { ledger, steps, logger }: ExecutionDependencies,
  { begun, job: { sponsor, reservationId, digest, fence } }: Execution,
): Promise<boolean> {
  try {
    const { epochStartedAt } = await ledger.status(0);
    if (begun.begunAt < epochStartedAt) return false;
    const now = await steps.begin(sponsor, { reservationId, digest, fence });
    return now !== null && now.quarantine === null;
  } catch (error) {
    logger.debug(
      { digest, error: String(error) },
      'Not submitted again: ledger or Redis unreachable',
    );
    return false;
  }
}
