import { describe, expect, it } from '@jest/globals';
import { ForecourtError, type FoundReservation } from '@forecourt/contracts';
import { FindLanded } from './find-landed.js';
import { OutcomeWatchers } from './outcome-watchers.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { ExecuteTx } = await import('./execute-tx.js');

const effects = { status: { status: 'success' } };
const coin = { objectId: '0xa', version: 1, digest: 'C' };
const transaction = {
  digest: 'D',
  sender: '0x1',
  gasOwner: '0x5',
  gasPayment: [coin],
  gasBudget: 1n,
  expirationEpoch: null,
  gasCoinUses: [],
  ownedInputs: [],
  receivedInputs: [],
  sharedInputs: [],
  packages: [],
};
const found = (
  state: FoundReservation['state'],
  digest: string | null = 'D',
): FoundReservation => ({
  reservationId: 64,
  sponsor: '0x5',
  gasBudget: 9,
  coins: [coin],
  durationSecs: 60,
  mayLeaveDust: false,
  state,
  digest,
  fence: 1,
  refusal: null,
});

interface Surroundings {
  /** The reservation that the gateway remembers. */
  readonly remembered?: FoundReservation | null;
  readonly claim?: () => unknown;
  /** Whether the ledger has executed the transaction; default: it has not. */
  readonly hasLanded?: boolean;
  /** What becomes of a bound transaction; default: it is executed. */
  readonly outcome?: () => unknown;
}

/** The steps that a call takes, in order, when the coin-pool finds this; the last is how it ended. */
async function stepsFor(
  known: FoundReservation | null,
  {
    remembered = null,
    claim = () => found('claimed'),
    hasLanded = false,
    outcome = () => effects,
  }: Surroundings = {},
): Promise<string[]> {
  const steps: string[] = [];
  const step = (name: string, answer: unknown) => async () => {
    steps.push(name);
    return answer;
  };
  const ledger = {
    status: async () => ({ epoch: 1n }),
    decodeTransaction: () => transaction,
    findTransaction: step('look up', hasLanded ? { effects } : null),
  };
  const watchers = new OutcomeWatchers();
  const executeTx = new ExecuteTx(
    ledger as never,
    { run: step('verify', undefined) } as never,
    { findReservation: step('find', known ? { found: known } : NOWHERE) } as never,
    { take: () => remembered } as never,
    watchers,
    {
      async run() {
        steps.push('claim');
        return claim();
      },
    } as never,
    { run: step('enqueue', undefined) } as never,
    {
      async run() {
        steps.push('wait');
        return outcome();
      },
    } as never,
    new FindLanded(ledger as never, { maxRefusedExecutions: 9 }),
    { count: step('count', undefined) } as never,
  );
  const request = {
    requestId: 'r',
    caller: { name: 'shop', token: 'shop', sender: null },
    reservationId: 64,
    txBytes: 'AAAA',
    userSig: 'AAAA',
    requestType: 'waitForEffectsCert',
    header: () => undefined,
  };
  try {
    expect(await executeTx.run(request as never)).toBe(effects);
  } catch (error) {
    if (!(error instanceof ForecourtError)) throw error;
    steps.push(error.code);
  }
  expect(watchers.size).toBe(0);
  return steps;
}

const NOWHERE = { found: null, everHeld: false };
const refuse = () => {
  throw new ForecourtError('INPUT_IN_FLIGHT', 'object 0x1');
};
const refuseInputs = () => {
  throw new ForecourtError('REFUSED_BY_LEDGER', 'object 0x1 is at a later version');
};

describe('the steps of execute', () => {
  it('enqueue what an earlier call has claimed, whose gateway may have died before it did', async () => {
    expect(await stepsFor(found('claimed'))).toEqual(['verify', 'find', 'enqueue', 'wait']);
  });

  it.each(['executing', 'executed', 'quarantined'] as const)(
    'only wait for what is %s already',
    async (state) => expect(await stepsFor(found(state))).toEqual(['verify', 'find', 'wait']),
  );

  it('look up an open reservation before they claim it', async () => {
    const steps = ['verify', 'find', 'claim', 'enqueue', 'wait'];
    expect(await stepsFor(found('reserved', null))).toEqual(steps);
  });

  it('claim a reservation that this gateway has handed out without looking it up', async () => {
    const remembered = found('reserved', null);
    expect(await stepsFor(null, { remembered })).toEqual(['verify', 'claim', 'enqueue', 'wait']);
  });

  it('answer a known transaction before any refusal of its claim', async () => {
    const remembered = found('reserved', null);
    const steps = await stepsFor(found('executing'), { remembered, claim: refuse });
    expect(steps).toEqual(['verify', 'claim', 'find', 'wait']);
  });

  it.each([
    ['reserved', 'INPUT_IN_FLIGHT', ['INPUT_IN_FLIGHT']],
    ['expired', 'RESERVATION_EXPIRED', ['look up', 'RESERVATION_EXPIRED']],
  ] as const)(
    'answer what speaks against the claim where the reservation is %s: %s',
    async (state, _code, ending) => {
      const remembered = found('reserved', null);
      const steps = await stepsFor(found(state, null), { remembered, claim: refuse });
      expect(steps).toEqual(['verify', 'claim', 'find', ...ending]);
    },
  );

  it('answer what has landed although its reservation has expired without it', async () => {
    const steps = await stepsFor(found('expired', null), { hasLanded: true });
    expect(steps).toEqual(['verify', 'find', 'look up']);
  });

  it('answer what has landed although its inputs are refused now', async () => {
    const landed = { claim: refuseInputs, hasLanded: true };
    const steps = ['verify', 'find', 'claim', 'look up'];
    expect(await stepsFor(found('reserved', null), landed)).toEqual(steps);
    const refused = await stepsFor(found('reserved', null), { claim: refuseInputs });
    expect(refused).toEqual([...steps, 'REFUSED_BY_LEDGER']);
  });

  it('answer a denial that has released the reservation as a denial', async () => {
    const deny = () => {
      throw new ForecourtError('FORBIDDEN', 'not allowed');
    };
    const remembered = found('reserved', null);
    const steps = await stepsFor(found('released', null), { remembered, claim: deny });
    expect(steps).toEqual(['verify', 'claim', 'find', 'FORBIDDEN']);
  });

  it('look up a transaction at the ledger when its reservation has left no trace', async () => {
    const steps = ['verify', 'find', 'look up'];
    expect(await stepsFor(null, { hasLanded: true })).toEqual(steps);
    expect(await stepsFor(null)).toEqual([...steps, 'RESERVATION_UNKNOWN']);
  });

  it('count a refusal by validators against the caller, but not a repeated answer', async () => {
    const outcome = refuseInputs;
    expect(await stepsFor(found('reserved', null), { outcome })).toEqual([
      'verify',
      'find',
      'claim',
      'enqueue',
      'wait',
      'count',
      'REFUSED_BY_LEDGER',
    ]);
    const again = await stepsFor(found('quarantined'), { outcome });
    expect(again).toEqual(['verify', 'find', 'wait', 'REFUSED_BY_LEDGER']);
    const unknown = () => {
      throw new ForecourtError('OUTCOME_UNKNOWN');
    };
    const steps = await stepsFor(found('claimed'), { outcome: unknown });
    expect(steps.slice(-2)).toEqual(['wait', 'OUTCOME_UNKNOWN']);
  });
});
