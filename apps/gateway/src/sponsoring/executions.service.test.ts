import { describe, expect, it } from '@jest/globals';
import { ForecourtError } from '@forecourt/contracts';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { aGateway, CLAIMED, found, MAX_RATIO, quarantineLimit, REFERENCE_PRICE, usage } =
  await import('./executions.test-support.js');
type Surroundings = import('./executions.test-support.js').Surroundings;

const CHECKS = ['running', 'room', 'decide', 'inputs'];
const CLAIM = [...CHECKS, 'claim', 'audit'];
const ALL = ['verify', 'find', ...CLAIM, 'wait', 'effects'];
const OPEN = found('reserved', null);
const REFUSED = new ForecourtError('REFUSED_BY_LEDGER', 'object 0x1 is at a later version');

/** The steps of one call; the last one is its end. */
async function stepsOf(surroundings: Surroundings = {}): Promise<readonly string[]> {
  return (await aGateway(surroundings)).execute();
}

/** The steps of a call whose claim is refused, from the claim on. */
async function stepsAfterClaim(
  code: 'INPUT_IN_FLIGHT' | 'REFUSED_BY_LEDGER' | 'RESERVATION_EXPIRED',
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const refuses = ['claim', new ForecourtError(code, '64')] as const;
  const steps = await stepsOf({ ...surroundings, refuses });
  return steps.slice(steps.indexOf('claim') + 1);
}

describe('execute', () => {
  it('finds, checks, claims and waits', async () => {
    const gateway = await aGateway();
    expect(await gateway.execute()).toEqual(ALL);
    expect(gateway.asked).toEqual([{ token: 'shop', sponsor: '0x5' }, 'shop:0x1']);
    const waiter = { gateway: 'g', requestType: 'waitForEffectsCert' };
    expect(gateway.messages).toEqual([
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
  });

  it('enqueues the claim of an earlier call, whose coin-pool may have died before it did', async () => {
    const steps = await stepsOf({ finds: [found('claimed')] });
    expect(steps).toEqual(['verify', 'find', 'enqueue', 'wait', 'effects']);
  });

  it.each(['executing', 'executed', 'quarantined'] as const)(
    'only waits for a transaction that is %s already',
    async (state) => {
      const steps = await stepsOf({ finds: [found(state)] });
      expect(steps).toEqual(['verify', 'find', 'wait', 'effects']);
    },
  );

  it.each([
    ['RESERVATION_EXPIRED', found('expired', null), ['find', 'look up']],
    ['RESERVATION_EXPIRED', found('released', null), ['find', 'look up']],
    ['RESERVATION_USED', found('executing', 'E'), ['find']],
  ])('refuses a reservation that no transaction can use: %s', async (code, reservation, again) => {
    expect(await stepsOf({ finds: [reservation] })).toEqual(['verify', 'find', ...again, code]);
  });

  it('looks a transaction up on the ledger when its reservation has left no trace', async () => {
    const steps = ['verify', 'find', 'look up'];
    expect(await stepsOf({ finds: [null], hasLanded: true })).toEqual([...steps, 'effects']);
    expect(await stepsOf({ finds: [null] })).toEqual([...steps, 'RESERVATION_UNKNOWN']);
  });

  it('counts a refusal by validators against the caller, but not a repeated answer', async () => {
    const refuses = ['wait', REFUSED] as const;
    const steps = await stepsOf({ refuses });
    expect(steps.slice(-3)).toEqual(['wait', 'count', 'REFUSED_BY_LEDGER']);
    const again = await stepsOf({ finds: [found('quarantined')], refuses });
    expect(again).toEqual(['verify', 'find', 'wait', 'REFUSED_BY_LEDGER']);
    const unknown = new ForecourtError('OUTCOME_UNKNOWN');
    const open = await stepsOf({ finds: [found('claimed')], refuses: ['wait', unknown] });
    expect(open.slice(-2)).toEqual(['wait', 'OUTCOME_UNKNOWN']);
  });
});

describe('a call of an abstract account', () => {
  const hasAccount = true;
  const allowed = { hasAccount, allowAbstractAccounts: true };
  const claimed = ['find', ...CHECKS, 'suspect', 'claim', 'audit', 'wait', 'excuse', 'effects'];

  it('is excused once its transaction has succeeded', async () => {
    expect(await stepsOf(allowed)).toEqual(claimed);
  });

  it('needs a rule where the configuration does not allow it, and counts failures the same', async () => {
    expect(await stepsOf({ hasAccount, accountRule: 'decides' })).toEqual(claimed);
  });

  it('is refused before the rules are asked if none can allow it', async () => {
    const refused = ['find', 'running', 'find', 'SIGNATURE_UNSUPPORTED'];
    expect(await stepsOf({ hasAccount })).toEqual(refused);
  });

  it('is refused before a look-up if another rule decides, and counted where a hook comes after it', async () => {
    const accountRule = 'another decides';
    const steps = await stepsOf({ hasAccount, accountRule });
    expect(steps.slice(-3)).toEqual(['decide', 'find', 'SIGNATURE_UNSUPPORTED']);
    const late = await stepsOf({ hasAccount, accountRule, needsHook: true });
    expect(late.slice(-4)).toEqual(['hook', 'count', 'find', 'SIGNATURE_UNSUPPORTED']);
  });

  it('excuses nothing when it repeats a call, or another one was faster', async () => {
    const repeated = await stepsOf({ ...allowed, finds: [found('claimed')] });
    expect(repeated).toEqual(['find', 'enqueue', 'wait', 'effects']);
    const finds = [OPEN, found('claimed')];
    const steps = await stepsAfterClaim('INPUT_IN_FLIGHT', { ...allowed, finds });
    expect(steps).toEqual(['count', 'find', 'enqueue', 'wait', 'effects']);
  });
});

describe('a refused call of execute', () => {
  it('waits if its transaction was accepted meanwhile', async () => {
    const steps = await stepsAfterClaim('INPUT_IN_FLIGHT', { finds: [OPEN, found('executing')] });
    expect(steps).toEqual(['count', 'find', 'wait', 'effects']);
  });

  it.each([
    ['INPUT_IN_FLIGHT', OPEN, []],
    ['RESERVATION_EXPIRED', found('expired', null), ['look up']],
    ['RESERVATION_USED', found('executing', 'E'), []],
  ])('reports the state of the reservation: %s', async (code, later, lookUp) => {
    const steps = await stepsAfterClaim('INPUT_IN_FLIGHT', { finds: [OPEN, later] });
    expect(steps).toEqual(['count', 'find', ...lookUp, code]);
  });

  it('returns the effects of a transaction that has landed although its reservation has expired', async () => {
    const finds = [found('expired', null)];
    const steps = await stepsOf({ finds, hasLanded: true });
    expect(steps).toEqual(['verify', 'find', 'find', 'look up', 'effects']);
  });

  it('returns the effects of a transaction that has landed although its inputs are refused now', async () => {
    const refuses = ['inputs', REFUSED] as const;
    const landed = await stepsOf({ refuses, hasLanded: true });
    expect(landed.slice(-4)).toEqual(['inputs', 'find', 'look up', 'effects']);
    const refused = await stepsOf({ refuses });
    expect(refused.slice(-3)).toEqual(['find', 'look up', 'REFUSED_BY_LEDGER']);
  });

  it('reports a denial that has released the reservation as a denial', async () => {
    const finds = [OPEN, found('released', null)];
    const denied = new ForecourtError('FORBIDDEN', 'not allowed');
    const steps = await stepsOf({ finds, refuses: ['decide', denied], freesDenied: true });
    expect(steps.slice(-4)).toEqual(['decide', 'release', 'find', 'FORBIDDEN']);
  });
});

describe('the checks before a claim', () => {
  it.each(CHECKS)('prevent the claim when refused by: %s', async (refusing) => {
    const error = new ForecourtError('OVERLOADED');
    const steps = await stepsOf({ refuses: [refusing, error], freesDenied: true });
    expect(steps.slice(-3)).toEqual([refusing, 'find', 'OVERLOADED']);
  });

  it('refuse a gas price above the limit, unless the rule that allows it has its own', async () => {
    const highest = REFERENCE_PRICE * BigInt(MAX_RATIO);
    const refused = await stepsOf({ gasPrice: highest + 1n });
    expect(refused.slice(-3)).toEqual(['decide', 'find', 'GAS_PRICE_TOO_HIGH']);
    expect(await stepsOf({ gasPrice: highest })).toEqual(ALL);
    expect(await stepsOf({ gasPrice: highest + 1n, allowsGasPrice: true })).toEqual(ALL);
  });

  it('look the inputs up before they call a hook', async () => {
    const steps = ['running', 'room', 'decide', 'inputs', 'hook', 'claim', 'audit'];
    expect((await stepsOf({ needsHook: true })).slice(2, -2)).toEqual(steps);
  });

  it.each(['FORBIDDEN', 'ACCESS_UNDECIDED', 'SPENDING_LIMIT'] as const)(
    'count a hook’s refusal against the caller, because the ledger was asked: %s',
    async (code) => {
      const refuses = ['hook', new ForecourtError(code)] as const;
      const steps = await stepsOf({ needsHook: true, refuses });
      expect(steps.slice(-4)).toEqual(['hook', 'count', 'find', code]);
    },
  );

  it('count a gas price that is too high and is checked only after the hook', async () => {
    const gasPrice = REFERENCE_PRICE * BigInt(MAX_RATIO) + 1n;
    const steps = await stepsOf({ needsHook: true, gasPrice });
    expect(steps.slice(-4)).toEqual(['hook', 'count', 'find', 'GAS_PRICE_TOO_HIGH']);
  });

  it('release the reservation of a denied transaction where the rules say so', async () => {
    const denied = new ForecourtError('FORBIDDEN', 'not allowed');
    const gateway = await aGateway({ refuses: ['decide', denied], freesDenied: true });
    const freeing = await gateway.execute();
    expect(freeing.slice(-4)).toEqual(['decide', 'release', 'find', 'FORBIDDEN']);
    expect(gateway.asked.at(-1)).toEqual({ caller: 'shop:0x1', reservationId: 64 });
    const keeping = await stepsOf({ refuses: ['decide', denied] });
    expect(keeping.slice(-3)).toEqual(['decide', 'find', 'FORBIDDEN']);
  });

  it('keep the reservation of a transaction that is refused for another reason', async () => {
    for (const error of [new ForecourtError('SPENDING_LIMIT'), new TypeError('a defect')]) {
      const steps = await stepsOf({ refuses: ['decide', error], freesDenied: true });
      const end = error instanceof ForecourtError ? error.code : String(error);
      expect(steps.slice(-3)).toEqual(['decide', 'find', end]);
    }
  });
});

describe('a claim', () => {
  const differs = {
    claimed: false,
    found: null,
    usages: [{ counter: 'a', used: '7', endsInMs: 1_000 }],
  };

  it('by another call for the same transaction is waited for, and not audited again', async () => {
    const claims = [{ claimed: false, found: found('executing'), usages: null }];
    const steps = await stepsOf({ claims });
    expect(steps.slice(-3)).toEqual(['claim', 'wait', 'effects']);
  });

  it('is decided again with the counters that it has found', async () => {
    const gateway = await aGateway({ claims: [differs, CLAIMED] });
    const steps = await gateway.execute();
    const again = ['claim', 'learn', 'decide', 'claim', 'audit', 'wait', 'effects'];
    expect(steps.slice(-again.length)).toEqual(again);
    expect(gateway.asked.at(-1)).toEqual(differs.usages);
  });

  it('is given up after twenty decisions', async () => {
    const gateway = await aGateway({ claims: [differs] });
    expect((await gateway.execute()).at(-1)).toBe('SPENDING_LIMIT');
    expect(gateway.messages).toHaveLength(20);
  });
});
