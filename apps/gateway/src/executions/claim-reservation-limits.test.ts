import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ErrorCode, ForecourtError, type ReadUsagesMessage } from '@forecourt/contracts';
import { AccessQuestion } from '../access/access-question.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { ClaimReservation } = await import('./claim-reservation.js');

const LIMIT = {
  counts: 'requests',
  counter: 'C',
  comparison: { operator: '<=', limit: 1n },
  windowMs: 60_000,
  countBy: [],
} as const;
const RULES = { policy: 'allow-all', rules: [], dryRun: false };
const caller = { name: 'shop', token: 'shop' };
const transaction = { digest: 'D', gasPrice: 1n, gasBudget: 1n, gasPayment: [] };
const reservation = { sponsor: '0x5', gasBudget: 1, durationSecs: 1, mayLeaveDust: false };

/** How many transactions the counter `C` has counted. */
let used: number;
/** What the coin-pool refuses every claim with; null: it claims. */
let refusal: ErrorCode | null;
/** Whether the transaction counts in `C`. */
let isCounted: boolean;
let steps: string[];
let claimReservation: InstanceType<typeof ClaimReservation>;

beforeEach(() => {
  used = 0;
  refusal = null;
  isCounted = true;
  const usages = () => [{ counter: 'C', used: String(used), endsInMs: 1_000 }];
  const coinPool = {
    async claimReservation() {
      steps.push('claim');
      if (refusal !== null) throw new ForecourtError(refusal);
      return used < 1
        ? { claimed: true, fence: 1, sponsor: '0x5' }
        : { claimed: false, found: null, usages: usages() };
    },
    async readUsages({ sponsor, counters }: ReadUsagesMessage) {
      steps.push('read usages');
      expect([sponsor, counters]).toEqual(['0x5', ['C']]);
      return { sponsor, usages: usages() };
    },
  };
  const ask = (_caller: unknown, subject: object) =>
    new AccessQuestion({
      rules: RULES,
      ruleSet: RULES,
      caps: isCounted ? [LIMIT] : [],
      subject,
      requestId: 'r',
      audit: { write: () => undefined },
      hooks: {},
    } as never);
  const parts = [
    { maxGasPriceRatio: 5 },
    { status: async () => ({ referenceGasPrice: 1n }) },
    { debug: () => undefined },
    { requireRoom: async () => undefined },
    { ask },
    { check: async () => (steps.push('look up'), []) },
    { quarantineLimit: () => ({}) },
    coinPool,
    { requireRunning: () => undefined },
    {},
    { count: async () => void steps.push('count') },
  ] as unknown as ConstructorParameters<typeof ClaimReservation>;
  claimReservation = new ClaimReservation(...parts);
});

/** The steps that a claim takes, in order; the last is how it ended. */
async function stepsOfClaim(): Promise<string[]> {
  steps = [];
  const request = { caller, reservationId: 64, txBytes: 'A', userSig: 'A', requestId: 'r' };
  try {
    await claimReservation.run(
      request as never,
      transaction as never,
      {} as never,
      reservation as never,
    );
    steps.push('claimed');
  } catch (error) {
    if (!(error instanceof ForecourtError)) throw error;
    steps.push(error.code);
  }
  return steps;
}

describe('the steps of a claim', () => {
  it('read no counters while the limits of the token are not used up', async () => {
    expect(await stepsOfClaim()).toEqual(['look up', 'claim', 'claimed']);
  });

  it('do not ask the ledger for a token whose limit is used up, after the first time', async () => {
    used = 1;
    expect(await stepsOfClaim()).toEqual(['look up', 'claim', 'count', 'SPENDING_LIMIT']);
    expect(await stepsOfClaim()).toEqual(['read usages', 'SPENDING_LIMIT']);
    expect(await stepsOfClaim()).toEqual(['read usages', 'SPENDING_LIMIT']);
  });

  it('claim as before once the limit is renewed', async () => {
    used = 1;
    await stepsOfClaim();
    used = 0;
    expect(await stepsOfClaim()).toEqual(['read usages', 'look up', 'claim', 'claimed']);
  });

  it('decide once, and read nothing, where no counter is concerned', async () => {
    used = 1;
    await stepsOfClaim();
    [used, isCounted] = [0, false];
    expect(await stepsOfClaim()).toEqual(['look up', 'claim', 'claimed']);
  });

  it('read the counters first as long as one of the token’s limits may be used up, whatever passes', async () => {
    used = 1;
    await stepsOfClaim();
    for (let round = 0; round < 3; round++) {
      used = 0;
      expect(await stepsOfClaim()).toEqual(['read usages', 'look up', 'claim', 'claimed']);
      used = 1;
      expect(await stepsOfClaim()).toEqual(['read usages', 'SPENDING_LIMIT']);
    }
    const late = performance.now() + 60_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(late);
    used = 0;
    expect(await stepsOfClaim()).toEqual(['look up', 'claim', 'claimed']);
    clock.mockRestore();
  });

  it.each(['INPUT_IN_FLIGHT', 'QUARANTINE_LIMIT'] as const)(
    'count against the caller what the ledger was asked in vain: %s',
    async (code) => {
      refusal = code;
      expect(await stepsOfClaim()).toEqual(['look up', 'claim', 'count', code]);
    },
  );

  it('count no refusal that a client’s retry may run into', async () => {
    refusal = 'RESERVATION_EXPIRED';
    expect(await stepsOfClaim()).toEqual(['look up', 'claim', 'RESERVATION_EXPIRED']);
  });
});
