import { describe, expect, it } from '@jest/globals';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import type { Submission, TransactionEffects } from '@forecourt/ledger';
import { createParts, createServices } from './claim.test-support.js';
import type { Execution } from './execution.js';
import { SubmissionTimes } from './submission-times.js';

const effects = { transactionDigest: 'D' } as TransactionEffects;
const unknown: Submission = { kind: 'unknown', message: 'timed out' };
const missing: Submission = { kind: 'missing', message: 'Could not find the referenced object' };
const refused: Submission = { kind: 'refused', message: 'gas price' };

/** The store's replies about a claim that is begun, and about its quarantine. */
const BEGUN = ['begun', 'executing', null, '1000', '', 'default', '', ''];
const QUARANTINE = ['', '5', '', '0', 0];

interface Meanwhile {
  /** The epoch, at each call. */
  readonly epochs?: readonly bigint[];
  /** Redis does not answer. */
  readonly isUnreachable?: boolean;
  /** The store's final record of the claim. */
  readonly claim?: { readonly quarantine: object | null } | null;
}

/**
 * Submits to a ledger that gives these answers, the last one repeatedly, and shows the transaction after
 * `lookUps`.
 */
async function submit(
  answers: readonly Submission[],
  lookUps = Infinity,
  { epochs = [], isUnreachable = false, claim = { quarantine: null } }: Meanwhile = {},
  { askedMsAgo = 0, resumed = false } = {},
) {
  const calls: string[] = [];
  const times: number[] = [];
  let submissions = 0;
  let looks = 0;
  let questions = 0;
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
    status: async () => ({
      epoch: epochs[questions++] ?? epochs.at(-1) ?? 5n,
      referenceGasPrice: 1_000n,
      epochStartedAt: 0,
      epochEndsAt: 0,
      objectLockMs: null,
    }),
  };
  /** The submissions before each note. */
  const notes: number[] = [];
  const redis: Partial<CoinStoreRedis> = {
    defineCommand: () => undefined,
    'coinStore:begin-execution': async () => {
      if (isUnreachable) throw new Error('connect ECONNREFUSED');
      return [claim ? [...BEGUN, ...(claim.quarantine ? QUARANTINE : [])] : ['gone']];
    },
    'coinStore:note-unknown': async () => void notes.push(submissions),
  };
  const idle = createParts(redis as CoinStoreRedis, [], 0n);
  const { executions } = createServices({
    ...idle,
    ledger: { ...idle.ledger, ...ledger },
    settings: { ...idle.settings, submitWithinMs: 5_000 },
  });
  const execution = {
    job: { sponsor: '0x5', reservationId: 64, digest: 'D', fence: 1 },
    transaction: { bytes: Uint8Array.of(1), gasPayment: [], gasOwner: '0x5', gasCoinUses: [] },
    begun: { userSig: 'user', resumed },
    askedAt: performance.now() - askedMsAgo,
    signer: { signTransaction: async () => 'sponsor' },
    submissions: new SubmissionTimes(),
  } as unknown as Execution;
  const outcome = await executions.submit(execution, await executions.sign(execution));
  return { outcome, calls, times, notes };
}

const SUBMIT = 'submit user and sponsor';

describe('submitting until the outcome is known', () => {
  it('returns the answer to the first submission as certain', async () => {
    expect(await submit([refused])).toMatchObject({
      outcome: { submission: refused, isOnly: true },
      calls: [SUBMIT],
    });
  });

  it('looks up an unknown outcome before it submits again', async () => {
    expect(await submit([unknown], 1)).toMatchObject({
      outcome: { submission: { kind: 'executed', effects }, isOnly: false },
      calls: [SUBMIT, 'find'],
    });
  });

  it('submits the same bytes again where the ledger does not show it, and stops at an answer', async () => {
    expect(await submit([unknown, refused])).toMatchObject({
      outcome: { submission: refused, isOnly: false },
      calls: [SUBMIT, 'find', SUBMIT],
    });
  });

  it('waits for objects that the validators do not know yet', async () => {
    const executed = { kind: 'executed', effects } as const;
    const { outcome, calls, times } = await submit([missing, missing, executed]);
    expect(outcome?.submission).toEqual(executed);
    expect(calls).toEqual([SUBMIT, 'find', SUBMIT, 'find', SUBMIT]);
    // Timers may fire a millisecond early.
    const pauses = [times[1]! - times[0]!, times[3]! - times[2]!];
    expect(pauses[0]).toBeGreaterThan(198);
    expect(pauses[1]).toBeGreaterThan(398);
  });

  it('leaves an outcome that stays unknown to a later attempt', async () => {
    const { outcome, calls } = await submit([unknown]);
    expect(outcome).toEqual({ submission: unknown, isOnly: false, endedIn: 5n });
    expect(calls.filter((call) => call === SUBMIT)).toHaveLength(4);
  });

  it.each<[string, Meanwhile]>([
    ['the epoch has ended', { epochs: [5n, 6n] }],
    ['its claim has ended', { claim: null }],
    ['its claim is quarantined', { claim: { quarantine: {} } }],
    ['Redis does not answer', { isUnreachable: true }],
  ])('does not submit again when %s', async (_what, meanwhile) => {
    expect(await submit([unknown], Infinity, meanwhile)).toMatchObject({
      outcome: { submission: unknown, isOnly: false, endedIn: 5n },
      calls: [SUBMIT, 'find'],
    });
  });

  it.each<[string, Meanwhile]>([
    ['has ended', { claim: null }],
    ['is quarantined', { claim: { quarantine: {} } }],
  ])('submits nothing after a pause in which its claim %s', async (_what, meanwhile) => {
    expect(await submit([refused], Infinity, meanwhile, { askedMsAgo: 5_100 })).toMatchObject({
      outcome: null,
      calls: [],
    });
  });

  it('submits after a pause in which its claim has stayed as it was', async () => {
    expect((await submit([refused], Infinity, {}, { askedMsAgo: 5_100 })).calls).toEqual([SUBMIT]);
  });

  it('notes every submission but the first of a claim before it is sent', async () => {
    expect((await submit([unknown, refused])).notes).toEqual([1]);
    const resumed = await submit([unknown, refused], Infinity, {}, { resumed: true });
    expect(resumed.notes).toEqual([0, 1]);
  });
});
