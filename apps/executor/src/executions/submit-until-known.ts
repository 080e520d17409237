import { setTimeout as delay } from 'node:timers/promises';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { Submission } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { isStillBound } from './is-still-bound.js';

const QUICK_RETRIES_MS = [200, 400, 1_000];

interface SubmissionOutcome {
  readonly submission: Submission;
  readonly isOnly: boolean;
  readonly endedIn: bigint | null;
}

/**
 * Signs and submits. While the outcome is unknown, or validators do not know an object yet, it looks up the digest
 * and submits the same bytes again, a few times in quick succession, but not in a later epoch. `isOnly`: there was
 * no earlier submission. `endedIn`: the epoch right after an unknown outcome, if a node reports it. Null when the
 * claim has ended meanwhile: nothing was submitted.
 */
export async function submitUntilKnown(
  dependencies: ExecutionDependencies,
  execution: Execution,
): Promise<SubmissionOutcome | null> {
  const { ledger, metrics } = dependencies;
  const { transaction, begun, signer, job, askedAt } = execution;
  const own = await metrics.step('sign', () => signer.signTransaction(transaction.bytes));
  passFailpoint('executor:after-sign');
  let endedIn: bigint | null = null;
  const submit = async () => {
    const submission = await metrics.step('submit', () =>
      ledger.submit(transaction.bytes, [begun.userSig, own]),
    );
    endedIn = submission.kind === 'unknown' ? await epochNow(ledger) : null;
    return submission;
  };
  const find = () => metrics.step('find', () => ledger.findTransaction(job.digest));
  if (!(await isStillBound(dependencies, job, askedAt))) return null;
  const first = await submit();
  passFailpoint('executor:after-submit');
  if (!mayChange(first)) return { submission: first, isOnly: !begun.resumed, endedIn };
  let latest: Submission = first;
  for (const pause of QUICK_RETRIES_MS) {
    await delay(pause);
    const landed = await find().catch(() => null);
    if (landed) {
      const submission = { kind: 'executed', effects: landed.effects } as const;
      return { submission, isOnly: false, endedIn: null };
    }
    if (!(await maySubmitAgain(dependencies, execution, endedIn))) break;
    latest = await submit();
    if (!mayChange(latest)) break;
  }
  return { submission: latest, isOnly: false, endedIn };
}

function mayChange({ kind }: Submission): boolean {
  return kind === 'unknown' || kind === 'missing';
}

/** Null when no node reports it. */
async function epochNow(ledger: ExecutionDependencies['ledger']): Promise<bigint | null> {
  const status = await ledger.status(0).catch(() => null);
  return status && status.epoch;
}

/**
 * Not in a later epoch, which a quarantine would then wait for; and not when the claim has meanwhile ended or been
 * quarantined: its coins may be another transaction's.
 */
async function maySubmitAgain(
  dependencies: ExecutionDependencies,
  { job }: Execution,
  endedIn: bigint | null,
): Promise<boolean> {
  const { ledger, logger } = dependencies;
  try {
    const epoch = endedIn === null ? null : await epochNow(ledger);
    if (epoch !== endedIn) return false;
    return await isStillBound(dependencies, job);
  } catch (error) {
    logger.debug(
      { digest: job.digest, error: String(error) },
      'Not submitted again: Redis unreachable',
    );
    return false;
  }
}
