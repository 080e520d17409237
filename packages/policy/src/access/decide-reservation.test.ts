import { describe, expect, it } from '@jest/globals';
import { call, decide, file, full, PACKAGE, read, subject } from './access-rules.test-support.js';
import { decideReservation } from './decide-reservation.js';

const reserving = (caller: string, gasBudget = 1_000, durationSecs = 60) => ({
  caller,
  reservation: { gasBudget, durationSecs },
  time: new Date(),
  sponsor: null,
});

describe('a reservation', () => {
  it('is denied if no transaction could be allowed with it', async () => {
    const rules = await read(
      file(
        'deny-all',
        `    - token: shop
      reservation-gas-budget: '<=1000'
      sender-address: '0x1'
      action: allow`,
      ),
    );
    const decisions = [reserving('shop'), reserving('bar'), reserving('shop', 1_001)];
    expect(decisions.map((one) => decideReservation(rules, one).allowed)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is denied by a rule that needs no transaction, not by one that needs it', async () => {
    const rules = await read(
      file(
        'allow-all',
        `    - name: long
      reservation-duration-secs: '>60'
      action: deny
    - sender-address: '0x1'
      action: deny
    - token: bar
      requests: { value: '>1', window: 1 day }
      action: deny`,
      ),
    );
    const long = decideReservation(rules, reserving('shop', 1, 61));
    expect([long.allowed, long.rule?.name]).toEqual([false, 'long']);
    expect(decideReservation(rules, reserving('bar')).allowed).toBe(true);
  });

  it('is not denied by a rule after one that may allow', async () => {
    const rules = await read(
      file('deny-all', `    - action: http://127.0.0.1:1\n    - action: deny`),
    );
    expect(decideReservation(rules, reserving('shop')).allowed).toBe(true);
  });

  it('is not evaluated if the policy is disabled', async () => {
    const rules = await read(file('disabled', '    - action: deny'));
    expect(decideReservation(rules, reserving('shop')).allowed).toBe(true);
  });
});

describe('a rule with a sponsor', () => {
  const rules = (policy: string, action = 'allow') =>
    read(`access-controller:
  access-policy: ${policy}
  sponsors: { marketing: '0x6', ops: '0x7' }
  rules:
    - { token: shop, sponsor: [marketing, '0x8'], action: ${action} }
    - { token: bar, sponsor: ops, action: ${action} }`);
  const choosing = (caller: string, sponsor: string | null) => ({ ...reserving(caller), sponsor });

  it('names the sponsor of a reservation that has none, and holds for one that it names', async () => {
    const set = await rules('deny-all');
    const of = (caller: string, sponsor: string | null) => {
      const { allowed, rule } = decideReservation(set, choosing(caller, sponsor));
      return [allowed, rule?.sponsors?.[0]];
    };
    expect(of('shop', null)).toEqual([true, full('6')]);
    expect(of('bar', null)).toEqual([true, full('7')]);
    expect(of('shop', full('8'))).toEqual([true, full('6')]);
    expect(of('shop', full('7'))).toEqual([false, undefined]);
    expect(of('other', null)).toEqual([false, undefined]);
  });

  it('that denies does not deny a reservation whose sponsor is not chosen', async () => {
    const set = await rules('allow-all', 'deny');
    const isAllowed = (sponsor: string | null) =>
      decideReservation(set, choosing('shop', sponsor)).allowed;
    expect([isAllowed(null), isAllowed(full('6')), isAllowed(full('7'))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('allows a transaction only if that sponsor pays', async () => {
    const set = await rules('deny-all');
    const outcomes = await Promise.all(
      [full('6'), full('8'), full('7')].map(async (sponsor) => {
        const one = subject({ moveCalls: [call(PACKAGE)], gasOwner: sponsor });
        return (await decide(set, one)).outcome;
      }),
    );
    expect(outcomes).toEqual(['allow', 'allow', 'deny']);
  });

  it.each([
    ['an unknown name', 'sponsor: sales', /names the sponsor sales.*marketing, ops/],
    ['a bad name', 'sponsor: ops', /Sales/, "{ Sales: '0x6' }"],
    ['a name without an address', 'sponsor: ops', /address/, '{ ops: them }'],
  ])(
    'is refused with %s',
    async (_, condition, message, names = "{ marketing: '0x6', ops: '0x7' }") => {
      const text = `access-controller:
  access-policy: deny-all
  sponsors: ${names}
  rules:
    - { ${condition}, action: allow }`;
      await expect(read(text)).rejects.toThrow(message);
    },
  );
});
