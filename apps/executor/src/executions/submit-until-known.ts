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
  { ledger, metrics }: ExecutionDependencies,
  { transaction, begun, signer, job }: Execution,
): Promise<{ readonly submission: Submission; readonly certain: boolean }> {
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
    latest = await submit();
    if (!mayChange(latest)) break;
  }
  return { submission: latest, certain: false };
}

function mayChange({ kind }: Submission): boolean {
  return kind === 'unknown' || kind === 'missing';
}
