import { describe, expect, it } from '@jest/globals';
import { ForecourtError } from '@forecourt/contracts';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { aGateway, CLAIMED, found, MAX_RATIO, REFERENCE_PRICE, usage } =
  await import('./executions.test-support.js');
const { quarantineLimit } = await import('./transaction-decisions.test-support.js');
type Surroundings = import('./executions.test-support.js').Surroundings;

const OPEN = found('reserved', null);
const REFUSED = new ForecourtError('REFUSED_BY_LEDGER', 'object 0x1 is at a later version');
const NO_CLAIM = { claims: 0, 'claims audited': 0, 'jobs enqueued': 0 };
const ONE_CLAIM = { claims: 1, 'claims audited': 1, 'outcomes awaited': 1 };

const execute = async (surroundings: Surroundings = {}) => (await aGateway(surroundings)).execute();

describe('execute', () => {
  it('claims the reservation with what was checked, and returns the effects', async () => {
    const gateway = await aGateway();
    expect(await gateway.execute()).toMatchObject({
      end: 'effects',
      did: {
        ...ONE_CLAIM,
        'status read': 1,
        'inputs looked up': 1,
        'refusals counted': 0,
        releases: 0,
      },
    });
    const waiter = { gateway: 'g', requestType: 'waitForEffectsCert' };
    const call = { caller: 'shop:0x1', reservationId: 64, digest: 'D', waiter };
    const signed = { txBytes: 'AAAA', userSig: 'BBBB' };
    const decided = { rule: 'swaps', facts: '9 60 1000 1 0', usage, quarantineLimit };
    const checked = { ...decided, inputs: ['0x9:4'] };
    expect(gateway.messages).toEqual([{ ...call, ...signed, ...checked }]);
    expect(gateway.requests).toEqual([{ token: 'shop', sponsor: '0x5' }, 'shop:0x1']);
  });

  it.each([
    ['claimed', 1],
    ['executing', 0],
    ['executed', 0],
    ['quarantined', 0],
  ] as const)(
    'answers a repeated call whose transaction is %s without any check, and enqueues %d jobs',
    async (state, jobs) => {
      const { end, did } = await execute({ finds: [found(state)] });
      expect([end, did['jobs enqueued'], did.claims]).toEqual(['effects', jobs, 0]);
      expect(did).toMatchObject({ 'pauses asked': 0, 'rules asked': 0, 'inputs looked up': 0 });
    },
  );

  it.each([
    ['RESERVATION_EXPIRED', found('expired', null), 1],
    ['RESERVATION_RELEASED', found('released', null), 1],
    ['RESERVATION_USED', found('executing', 'E'), 0],
  ])(
    'refuses a reservation that no transaction can use: %s',
    async (code, reservation, lookUps) => {
      const { end, did } = await execute({ finds: [reservation] });
      expect([end, did['landed looked up']]).toEqual([code, lookUps]);
      expect(did).toMatchObject({ ...NO_CLAIM, 'inputs looked up': 0 });
    },
  );

  it.each([
    ['the reservation has left no trace', { finds: [null] }, 'RESERVATION_UNKNOWN'],
    ['its reservation has expired', { finds: [found('expired', null)] }, 'RESERVATION_EXPIRED'],
    ['its reservation was released', { finds: [found('released', null)] }, 'RESERVATION_RELEASED'],
    [
      'its inputs are refused now',
      { refuses: ['inputs looked up', REFUSED] as const },
      'REFUSED_BY_LEDGER',
    ],
  ])(
    'returns the effects of a transaction that has landed although %s',
    async (_why, why, code) => {
      const landed = await execute({ ...why, hasLanded: true });
      expect(landed).toMatchObject({ end: 'effects', did: NO_CLAIM });
      expect(await execute(why)).toMatchObject({ end: code, did: NO_CLAIM });
    },
  );

  it('counts a refusal by validators against the caller, but not a repeated answer', async () => {
    const refuses = ['outcomes awaited', REFUSED] as const;
    const end = 'REFUSED_BY_LEDGER';
    expect(await execute({ refuses })).toMatchObject({ end, did: { 'refusals counted': 1 } });
    const again = await execute({ finds: [found('quarantined')], refuses });
    expect(again).toMatchObject({ end, did: { 'refusals counted': 0 } });
    const unknown = ['outcomes awaited', new ForecourtError('OUTCOME_UNKNOWN')] as const;
    const open = await execute({ finds: [found('claimed')], refuses: unknown });
    expect(open).toMatchObject({ end: 'OUTCOME_UNKNOWN', did: { 'refusals counted': 0 } });
  });
});

describe('a call of an abstract account', () => {
  const hasAccount = true;
  const allowed = { hasAccount, allowAbstractAccounts: true };

  it.each([
    ['the configuration', allowed],
    ['the deciding rule', { hasAccount, accountRule: 'decides' }],
  ] as const)('allowed by %s is suspected, and excused once it succeeds', async (_by, around) => {
    const did = { ...ONE_CLAIM, 'failures suspected': 1, 'failures excused': 1 };
    expect(await execute(around)).toMatchObject({ end: 'effects', did });
  });

  it('is refused at no cost for the ledger where nothing allows it', async () => {
    const end = 'SIGNATURE_UNSUPPORTED';
    const free = { ...NO_CLAIM, 'inputs looked up': 0, 'hooks called': 0, 'refusals counted': 0 };
    expect(await execute({ hasAccount })).toMatchObject({
      end,
      did: { ...free, 'rules asked': 0 },
    });
    const accountRule = 'another decides';
    expect(await execute({ hasAccount, accountRule })).toMatchObject({ end, did: free });
    const late = await execute({ hasAccount, accountRule, needsHook: true });
    expect(late).toMatchObject({ end, did: { ...NO_CLAIM, 'refusals counted': 1 } });
  });

  it('is excused for its own suspicion only when it repeats a call, or another one was faster', async () => {
    const repeated = await execute({ ...allowed, finds: [found('claimed')] });
    const none = { 'failures suspected': 0, 'failures excused': 0 };
    expect(repeated).toMatchObject({ end: 'effects', did: none });
    const refuses = ['claims', new ForecourtError('INPUT_IN_FLIGHT')] as const;
    const slower = await execute({ ...allowed, finds: [OPEN, found('claimed')], refuses });
    const own = { 'failures suspected': 1, 'failures excused': 1 };
    expect(slower).toMatchObject({ end: 'effects', did: own });
    const refused = await execute({ ...allowed, finds: [OPEN], refuses });
    expect(refused).toMatchObject({ end: 'INPUT_IN_FLIGHT', did: own });
  });

  it.each(['claimed', 'executing'] as const)(
    'is not suspected for the claim of another call, which is %s',
    async (state) => {
      const claims = [{ claimed: false, found: found(state), usages: null }];
      const did = { 'failures suspected': 1, 'failures excused': 1 };
      expect(await execute({ ...allowed, claims })).toMatchObject({ end: 'effects', did });
    },
  );

  it('stays suspected while the outcome is unknown', async () => {
    const refuses = ['outcomes awaited', new ForecourtError('OUTCOME_UNKNOWN')] as const;
    const did = { 'failures suspected': 1, 'failures excused': 0 };
    expect(await execute({ ...allowed, refuses })).toMatchObject({ end: 'OUTCOME_UNKNOWN', did });
  });
});

describe('a refused claim', () => {
  const refuses = ['claims', new ForecourtError('INPUT_IN_FLIGHT', '64')] as const;

  it.each([
    ['the effects where its transaction was accepted meanwhile', found('executing'), 'effects'],
    ['its own refusal while the reservation is open', OPEN, 'INPUT_IN_FLIGHT'],
    ['that the reservation has expired', found('expired', null), 'RESERVATION_EXPIRED'],
    ['that the reservation was released', found('released', null), 'RESERVATION_RELEASED'],
    ['that the reservation is used', found('executing', 'E'), 'RESERVATION_USED'],
  ])('is answered with %s', async (_what, later, end) => {
    const call = await execute({ finds: [OPEN, later], refuses });
    expect(call).toMatchObject({ end, did: { 'claims audited': 0, 'refusals counted': 1 } });
  });

  it('by another call for the same transaction is waited for, and not audited again', async () => {
    const claims = [{ claimed: false, found: found('executing'), usages: null }];
    const did = { 'claims audited': 0, 'outcomes awaited': 1, 'refusals counted': 0 };
    expect(await execute({ claims })).toMatchObject({ end: 'effects', did });
  });
});

describe('the checks before a claim', () => {
  it.each([
    ['a pause', 'pauses asked', 0],
    ['a full queue', 'room asked', 0],
    ['the access rules', 'rules asked', 0],
    ['the look-up of the inputs', 'inputs looked up', 1],
  ] as const)(
    'prevent it when refused by %s, after as little as possible',
    async (_by, deed, cost) => {
      const error = new ForecourtError('OVERLOADED');
      const { end, did } = await execute({
        refuses: [deed, error],
        releasesOnDenial: true,
        needsHook: true,
      });
      expect(end).toBe('OVERLOADED');
      expect(did).toMatchObject({ ...NO_CLAIM, releases: 0, 'inputs looked up': cost });
      expect(did['hooks called']).toBe(0);
    },
  );

  it('refuse a gas price above the limit, unless the rule that allows it has its own', async () => {
    const highest = REFERENCE_PRICE * BigInt(MAX_RATIO);
    const gasPrice = highest + 1n;
    const end = 'GAS_PRICE_TOO_HIGH';
    const free = { ...NO_CLAIM, 'inputs looked up': 0, 'refusals counted': 0 };
    expect(await execute({ gasPrice })).toMatchObject({ end, did: free });
    expect((await execute({ gasPrice: highest })).end).toBe('effects');
    expect((await execute({ gasPrice, allowsGasPrice: true })).end).toBe('effects');
    const late = await execute({ gasPrice, needsHook: true });
    expect(late).toMatchObject({ end, did: { ...NO_CLAIM, 'refusals counted': 1 } });
  });

  it.each(['FORBIDDEN', 'ACCESS_UNDECIDED', 'SPENDING_LIMIT'] as const)(
    'count a hook’s refusal against the caller, because the ledger was asked: %s',
    async (end) => {
      const refuses = ['hooks called', new ForecourtError(end)] as const;
      const did = { ...NO_CLAIM, 'inputs looked up': 1, 'refusals counted': 1 };
      expect(await execute({ needsHook: true, refuses })).toMatchObject({ end, did });
    },
  );

  it('call a hook once for a transaction that has passed all others', async () => {
    const did = { ...ONE_CLAIM, 'inputs looked up': 1, 'hooks called': 1 };
    expect(await execute({ needsHook: true })).toMatchObject({ end: 'effects', did });
  });
});

describe('the reservation of a transaction that the rules deny', () => {
  it('is released where they say so, and the caller learns of the denial', async () => {
    const finds = [OPEN, found('released', null)];
    const gateway = await aGateway({ finds, denies: true, releasesOnDenial: true });
    expect(await gateway.execute()).toMatchObject({ end: 'FORBIDDEN', did: { releases: 1 } });
    expect(gateway.requests.at(-1)).toEqual({ caller: 'shop:0x1', reservationId: 64 });
  });

  it('is kept otherwise, and where they refuse for another reason', async () => {
    const end = 'FORBIDDEN';
    const did = { releases: 0, 'refusals counted': 1 };
    expect(await execute({ denies: true })).toMatchObject({ end, did });
    for (const [code, around] of [
      ['REQUEST_LIMIT', { limit: 0n }],
      ['TypeError: a defect', { refuses: ['rules asked', new TypeError('a defect')] }],
    ] as const) {
      const call = await execute({ ...around, releasesOnDenial: true });
      expect(call).toMatchObject({ end: code, did: { ...NO_CLAIM, releases: 0 } });
    }
  });
});

describe('a claim whose counters differ from those of the decision', () => {
  const usages = [{ counter: 'a', used: '7', endsInMs: 1_000 }];
  const differs = { claimed: false, found: null, usages };

  it('is decided again with those that it has found', async () => {
    const gateway = await aGateway({ claims: [differs, CLAIMED] });
    const did = { claims: 2, 'claims audited': 1, 'rules asked': 2 };
    expect(await gateway.execute()).toMatchObject({ end: 'effects', did });
    const used = await execute({ claims: [differs, CLAIMED], limit: 7n });
    expect(used).toMatchObject({ end: 'REQUEST_LIMIT', did: { claims: 1, 'rules asked': 2 } });
  });

  it('is given up after twenty decisions', async () => {
    const did = { claims: 20, 'claims audited': 0 };
    expect(await execute({ claims: [differs] })).toMatchObject({ end: 'SPENDING_LIMIT', did });
  });
});
