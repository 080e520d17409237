import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { FoundReservation } from '@forecourt/contracts';
import { OutcomeWatchers } from './outcome-watchers.js';
import { WaitForOutcome } from './wait-for-outcome.js';

const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const REFUSAL = 'the object is at another version';

/** A reservation that was claimed for the second time, and released again since. */
function released(refusal: FoundReservation['refusal']): FoundReservation {
  return {
    reservationId: 64,
    sponsor: `0x${'a'.repeat(64)}`,
    state: 'reserved',
    gasBudget: 1_000_000,
    durationSecs: 60,
    coins: [],
    mayLeaveDust: false,
    digest: null,
    fence: 2,
    refusal,
  };
}

function waitFor(known: FoundReservation) {
  const wait = new WaitForOutcome(
    { executeWaitMs: 1_000 },
    { findTransaction: async () => null },
    { findReservation: async () => ({ found: known }) },
    { answerBy: Infinity },
  );
  const question = {
    caller: 'default',
    reservationId: known.reservationId,
    digest: DIGEST,
    waiter: { gateway: 'one', requestType: 'waitForEffectsCert' },
  } as const;
  return wait.run(new OutcomeWatchers().watch(DIGEST, known.reservationId), question, known);
}

describe('waiting for the outcome of a claim', () => {
  it('throws the refusal of this claim', async () => {
    const known = released({ digest: DIGEST, fence: 2, message: REFUSAL });
    await expect(waitFor(known)).rejects.toMatchObject({
      code: 'REFUSED_BY_LEDGER',
      message: REFUSAL,
    });
  });

  it.each([
    ['an earlier claim', { digest: DIGEST, fence: 1, message: REFUSAL }],
    ['a later claim', { digest: DIGEST, fence: 3, message: REFUSAL }],
    ['another transaction', { digest: 'other', fence: 2, message: REFUSAL }],
  ])('does not take the refusal of %s for its own', async (_whose, refusal) => {
    await expect(waitFor(released(refusal))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });
});
