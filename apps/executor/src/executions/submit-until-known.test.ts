import { describe, expect, it } from '@jest/globals';
import { LedgerUnreachable, type Submission } from '@forecourt/ledger';
import type { Execution } from './execution.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { submitUntilKnown } from './submit-until-known.js';

const effects = { transactionDigest: 'D' };
const unknown: Submission = { kind: 'unknown', message: 'timed out' };
const missing: Submission = { kind: 'missing', message: 'Could not find the referenced object' };
const refused: Submission = { kind: 'refused', message: 'gas price' };

const BEGUN_AT = 1_000;

interface Meanwhile {
  readonly epochStartedAt?: number;
  /** No node tells the ledger's status. */
  readonly isUnreachable?: boolean;
  /** What the store knows of the claim by then. */
  readonly claim?: { readonly quarantine: object | null } | null;
}

/**
 * Submits to a ledger that answers with these, the last one again and again, and shows the transaction after `lookUps`.
 */
async function submit(
  answers: readonly Submission[],
  lookUps = Infinity,
  { epochStartedAt = 0, isUnreachable = false, claim = { quarantine: null } }: Meanwhile = {},
) {
  const calls: string[] = [];
  const times: number[] = [];
  let submissions = 0;
  let looks = 0;
  const ledger = {
    submit: async (_bytes: Uint8Array, signatures: readonly string[]) => {
      calls.push(`submit ${signatures.join(' and ')}`);
      times.push(performance.now());
      return answers[Math.min(submissions++, answers.length - 1)]!;
    },
    findTransaction: async () => {
      calls.push('find');
      times.push(performance.now());
      if (++looks < lookUps) return null;
      return { digest: 'D', effects };
    },
    status: async () => {
      if (isUnreachable) throw new LedgerUnreachable('connect ECONNREFUSED');
      return { epochStartedAt };
    },
  };
  const steps = { begin: async () => claim };
  const metrics = { step: (_name: string, run: () => Promise<unknown>) => run() };
  const outcome = await submitUntilKnown(
    {
      ledger,
      metrics,
      steps,
      logger: { debug: () => undefined },
    } as unknown as ExecutionDependencies,
    {
      job: { digest: 'D' },
      transaction: { bytes: Uint8Array.of(1) },
      begun: { userSig: 'user', begunAt: BEGUN_AT },
      signer: { signTransaction: async () => 'sponsor' },
    } as unknown as Execution,
  );
  return { outcome, calls, times };
}

const SUBMIT = 'submit user and sponsor';

describe('submitting until the outcome is known', () => {
  it('takes the answer to the first submission for certain', async () => {
    expect(await submit([refused])).toMatchObject({
      outcome: { submission: refused, certain: true },
      calls: [SUBMIT],
    });
  });

  it('looks an unknown outcome up before it submits again', async () => {
    expect(await submit([unknown], 1)).toMatchObject({
      outcome: { submission: { kind: 'executed', effects }, certain: false },
      calls: [SUBMIT, 'find'],
    });
  });

  it('submits the same bytes again where the ledger does not show it, and stops at an answer', async () => {
    expect(await submit([unknown, refused])).toMatchObject({
      outcome: { submission: refused, certain: false },
      calls: [SUBMIT, 'find', SUBMIT],
    });
  });

  it('waits for objects that the validators do not know yet', async () => {
    const executed = { kind: 'executed', effects } as unknown as Submission;
    const { outcome, calls, times } = await submit([missing, missing, executed]);
    expect(outcome.submission).toEqual(executed);
    expect(calls).toEqual([SUBMIT, 'find', SUBMIT, 'find', SUBMIT]);
    // Timers may fire a millisecond early.
    const pauses = [times[1]! - times[0]!, times[3]! - times[2]!];
    expect(pauses[0]).toBeGreaterThan(198);
    expect(pauses[1]).toBeGreaterThan(398);
  });

  it('leaves what stays unknown to a later attempt', async () => {
    const { outcome, calls } = await submit([unknown]);
    expect(outcome).toEqual({ submission: unknown, certain: false });
    expect(calls.filter((call) => call === SUBMIT)).toHaveLength(4);
  });

  it.each<[string, Meanwhile]>([
    ['the epoch in which it was begun has ended', { epochStartedAt: BEGUN_AT + 1 }],
    ['its claim has ended', { claim: null }],
    ['its claim is quarantined', { claim: { quarantine: {} } }],
    ['no node tells which epoch it is', { isUnreachable: true }],
  ])('does not submit again when %s', async (_what, meanwhile) => {
    expect(await submit([unknown], Infinity, meanwhile)).toMatchObject({
      outcome: { submission: unknown, certain: false },
      calls: [SUBMIT, 'find'],
    });
  });

  it('submits again when the epoch began in the millisecond in which it was begun', async () => {
    const { calls } = await submit([unknown, refused], Infinity, { epochStartedAt: BEGUN_AT });
    expect(calls).toEqual([SUBMIT, 'find', SUBMIT]);
  });
});
