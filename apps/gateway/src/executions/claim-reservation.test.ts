import { describe, expect, it } from '@jest/globals';
import {
  type ClaimReservationMessage,
  ForecourtError,
  type FoundReservation,
  type Waiter,
} from '@forecourt/contracts';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { ClaimReservation } = await import('./claim-reservation.js');

const REFERENCE_PRICE = 1_000n;
const MAX_RATIO = 5;
const coin = { objectId: '0xa', version: 1, digest: 'C' };
const waiter: Waiter = { gateway: 'g', requestType: 'waitForEffectsCert' };
const quarantineLimit = { most: 3, windowMs: 60_000 };
const usage = [{ counter: 'a', counts: 'requests', amount: '1' }] as never;
const usages = [{ counter: 'a', used: '7', endsInMs: 1_000 }];
const reservation: FoundReservation = {
  reservationId: 64,
  sponsor: '0x5',
  gasBudget: 9,
  coins: [coin],
  durationSecs: 60,
  mayLeaveDust: false,
  state: 'reserved',
  digest: null,
  fence: 1,
  refusal: { digest: 'earlier', fence: 1, message: 'no' },
};
const request = {
  requestId: 'r',
  caller: { name: 'shop:0x1', token: 'shop' },
  reservationId: 64,
  txBytes: 'AAAA',
  userSig: 'BBBB',
  header: () => undefined,
};

interface Surroundings {
  /** The step that refuses, and with what. */
  readonly refuses?: readonly [step: string, error: Error];
  readonly gasPrice?: bigint;
  readonly allowsGasPrice?: boolean;
  readonly freesDenied?: boolean;
  /** A hook decides. */
  readonly needsHook?: boolean;
  /** What the coin-pool answers, the last one again and again. */
  readonly answers?: readonly object[];
}

const CLAIMED = { claimed: true, fence: 2, sponsor: '0x5' };

async function claim({
  refuses,
  gasPrice = REFERENCE_PRICE,
  allowsGasPrice = false,
  freesDenied = false,
  answers = [CLAIMED],
  needsHook = false,
}: Surroundings = {}) {
  const steps: string[] = [];
  const messages: ClaimReservationMessage[] = [];
  const asked: unknown[] = [];
  const step = (name: string, what?: unknown) => {
    steps.push(name);
    if (what !== undefined) asked.push(what);
    if (refuses?.[0] === name) throw refuses[1];
  };
  const question = {
    ruleName: 'swaps',
    allowsGasPrice,
    freesDenied,
    decideWithoutCalls: async () => {
      step('decide');
      return needsHook ? null : usage;
    },
    decide: async () => {
      step(needsHook ? 'hook' : 'decide');
      return usage;
    },
    learn: (learned: unknown) => step('learn', learned),
    auditClaim: () => step('audit'),
  };
  const claims = new ClaimReservation(
    { maxGasPriceRatio: MAX_RATIO },
    { status: async () => ({ referenceGasPrice: REFERENCE_PRICE }) } as never,
    { debug: () => undefined } as never,
    { requireRoom: async () => step('room') } as never,
    { ask: () => question } as never,
    {
      async check(caller: string) {
        step('inputs', caller);
        return [{ objectId: '0x9', version: 4, digest: 'I' }];
      },
    } as never,
    { quarantineLimit: () => quarantineLimit } as never,
    {
      async claimReservation(message: ClaimReservationMessage) {
        step('claim');
        messages.push(message);
        return answers[Math.min(messages.length, answers.length) - 1]!;
      },
    } as never,
    { requireRunning: (scope: unknown) => step('running', scope) } as never,
    { run: async (released: unknown) => step('release', released) } as never,
    { count: async () => step('count') } as never,
  );
  const transaction = { digest: 'D', gasPrice, gasBudget: 1n, gasPayment: [coin] };
  const outcome = await claims
    .run(request as never, transaction as never, waiter, reservation)
    .catch((error: Error) => error);
  return { outcome, steps, messages, asked };
}

describe('the claim of a reservation', () => {
  it('is made when everything allows it, in this order, and audited', async () => {
    const { outcome, steps, messages, asked } = await claim();
    expect(steps).toEqual(['running', 'room', 'decide', 'inputs', 'claim', 'audit']);
    expect(asked).toEqual([{ token: 'shop', sponsor: '0x5' }, 'shop:0x1']);
    expect(messages).toEqual([
      {
        caller: 'shop:0x1',
        reservationId: 64,
        digest: 'D',
        txBytes: 'AAAA',
        userSig: 'BBBB',
        waiter,
        rule: 'swaps',
        inputs: ['0x9:4'],
        usage,
        quarantineLimit,
      },
    ]);
    const bound = { state: 'claimed', digest: 'D', fence: 2, refusal: null };
    expect(outcome).toEqual({ ...reservation, ...bound });
  });

  it.each(['running', 'room', 'decide', 'inputs'])(
    'is not made when refused by: %s',
    async (refusing) => {
      const error = new ForecourtError('OVERLOADED');
      const { outcome, steps } = await claim({ refuses: [refusing, error], freesDenied: true });
      expect(outcome).toBe(error);
      expect(steps.at(-1)).toBe(refusing);
    },
  );

  it('is not made at a gas price above the limit, unless the rule that allows it has its own', async () => {
    const highest = REFERENCE_PRICE * BigInt(MAX_RATIO);
    const { outcome, steps } = await claim({ gasPrice: highest + 1n });
    expect(outcome).toMatchObject({ code: 'GAS_PRICE_TOO_HIGH' });
    expect(steps.at(-1)).toBe('decide');
    expect((await claim({ gasPrice: highest })).outcome).toMatchObject({ state: 'claimed' });
    const allowed = await claim({ gasPrice: highest + 1n, allowsGasPrice: true });
    expect(allowed.outcome).toMatchObject({ state: 'claimed' });
  });

  it('made by another call is returned as it is, and not audited again', async () => {
    const found = { ...reservation, state: 'executing', digest: 'D' };
    const { outcome, steps } = await claim({ answers: [{ claimed: false, found, usages: [] }] });
    expect(outcome).toBe(found);
    expect(steps.at(-1)).toBe('claim');
  });
});

describe('a claim that finds other usage than was assumed', () => {
  const differs = { claimed: false, found: null, usages };

  it('is decided again with what it has found', async () => {
    const { outcome, steps, asked } = await claim({ answers: [differs, CLAIMED] });
    expect(outcome).toMatchObject({ state: 'claimed', fence: 2 });
    expect(steps.slice(4)).toEqual(['claim', 'learn', 'decide', 'claim', 'audit']);
    expect(asked.at(-1)).toEqual(usages);
  });

  it('is given up after twenty decisions', async () => {
    const { outcome, messages } = await claim({ answers: [differs] });
    expect(outcome).toMatchObject({ code: 'SPENDING_LIMIT' });
    expect(messages).toHaveLength(20);
  });
});

describe('a claim that a hook decides about', () => {
  it('looks the inputs up before the hook is called', async () => {
    const { outcome, steps } = await claim({ needsHook: true });
    expect(outcome).toMatchObject({ state: 'claimed' });
    expect(steps).toEqual(['running', 'room', 'decide', 'inputs', 'hook', 'claim', 'audit']);
  });

  it.each(['FORBIDDEN', 'ACCESS_UNDECIDED', 'SPENDING_LIMIT'] as const)(
    'counts against the caller that the ledger was asked for nothing: %s',
    async (code) => {
      const error = new ForecourtError(code);
      const { outcome, steps } = await claim({ needsHook: true, refuses: ['hook', error] });
      expect(outcome).toBe(error);
      expect(steps.slice(-2)).toEqual(['hook', 'count']);
    },
  );

  it('counts a gas price that is too high, which is only known after the hook', async () => {
    const gasPrice = REFERENCE_PRICE * BigInt(MAX_RATIO) + 1n;
    const { outcome, steps } = await claim({ needsHook: true, gasPrice });
    expect(outcome).toMatchObject({ code: 'GAS_PRICE_TOO_HIGH' });
    expect(steps.slice(-2)).toEqual(['hook', 'count']);
  });
});

describe('a denial', () => {
  const denied = new ForecourtError('FORBIDDEN', 'not allowed');

  it('releases the reservation where the rules say so', async () => {
    const freeing = await claim({ refuses: ['decide', denied], freesDenied: true });
    expect(freeing.outcome).toBe(denied);
    expect(freeing.steps.slice(2)).toEqual(['decide', 'release']);
    expect(freeing.asked.at(-1)).toEqual({ caller: 'shop:0x1', reservationId: 64 });
    const keeping = await claim({ refuses: ['decide', denied] });
    expect(keeping.outcome).toBe(denied);
    expect(keeping.steps.at(-1)).toBe('decide');
  });

  it('for another reason keeps the reservation', async () => {
    const limit = new ForecourtError('SPENDING_LIMIT');
    for (const error of [limit, new TypeError('a defect')]) {
      const { outcome, steps } = await claim({ refuses: ['decide', error], freesDenied: true });
      expect(outcome).toBe(error);
      expect(steps.at(-1)).toBe('decide');
    }
  });
});
