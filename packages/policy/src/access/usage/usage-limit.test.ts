import { describe, expect, it } from '@jest/globals';
import { call, decide, file, full, PACKAGE, read, subject } from '../access-rules.test-support.js';
import { readTokenFile } from '../../tokens/read-token-file.js';
import { checkUsage, claimedComparison, readDailyCap } from './usage-limit.js';

const rule = (limit: string) => `    - requests: ${limit}\n      action: allow`;
const limitOf = async (limit: string) =>
  (await read(file('deny-all', rule(limit)))).rules[0]!.limits[0]!;

describe('the daily cap', () => {
  it('is an amount in the smallest unit, and its counter the same for any amount', () => {
    const cap = readDailyCap('1500');
    expect(cap).toMatchObject({
      counts: 'gas',
      comparison: { operator: '<=', limit: 1_500n },
      windowMs: 86_400_000,
      countBy: [],
    });
    expect(readDailyCap('7').counter).toBe(cap.counter);
  });

  it.each(['', '-1', '1.5', '2 coins', '1_000', '1'.repeat(21)])('is not %j', (text) => {
    expect(() => readDailyCap(text)).toThrow('must be an amount in the smallest unit');
  });
});

describe('the count-by of a limit', () => {
  it.each([
    'http-header::',
    'http-header::Authorization',
    'http-header::cookie',
    'http-header::a b',
    'x-user',
    'sender',
  ])('is not %j', async (by) => {
    await expect(limitOf(`{ value: <=1, window: 1 h, count-by: ['${by}'] }`)).rejects.toThrow(
      'must name sender-address, token, package or http-header::<name>',
    );
  });

  it('is a header of the request, in any case, with a separate counter for each of its values', async () => {
    const limit = await limitOf(`{ value: <=1, window: 1 h, count-by: ['http-header::X-User'] }`);
    const counterOf = (user?: string) => {
      const header = (name: string) => (name === 'x-user' ? user : 'another header');
      return checkUsage(limit, subject({}, { header }), new Map()).map(({ counter }) => counter);
    };
    expect(counterOf('u1')).toEqual(counterOf('u1'));
    expect(new Set([...counterOf('u1'), ...counterOf('u2'), ...counterOf()]).size).toBe(3);
  });

  it('is the token or the sender', async () => {
    for (const by of ['token', 'sender-address']) {
      const limit = await limitOf(`{ value: <=1, window: 1 h, count-by: [${by}] }`);
      const counterOf = (caller: string, sender: string) =>
        checkUsage(limit, subject({ sender }, { caller }), new Map())[0]!.counter;
      const one = counterOf('shop', '0x1');
      expect(counterOf('game', '0x1') === one).toBe(by === 'sender-address');
      expect(counterOf('shop', '0x2') === one).toBe(by === 'token');
    }
  });
});

describe('a cap of a token or of the sponsor', () => {
  it('is an upper limit', async () => {
    const capped = (value: string) =>
      read(`access-controller:
  access-policy: allow-all
  sponsor-budget: { value: '${value}', window: 1 day }`);
    const limits = async (value: string) =>
      (await capped(value)).sponsorBudget.map(({ comparison }) => comparison);
    expect(await limits('5')).toEqual([{ operator: '<=', limit: 5n }]);
    expect(await limits('<5')).toEqual([{ operator: '<', limit: 5n }]);
    await expect(limits('>=5')).rejects.toThrow('must be an upper limit');
  });
});

describe('a total', () => {
  const budget = async (period: string, value = '5 IOTA') =>
    (
      await read(`access-controller:
  access-policy: allow-all
  sponsor-budget: { value: ${value}, ${period} }`)
    ).sponsorBudget[0]!;

  it('has no window, and an end or none', async () => {
    const total = { windowMs: null, until: null };
    expect(await budget('total: true')).toMatchObject(total);
    const until = Date.UTC(2026, 11, 31);
    expect(await budget('until: 2026-12-31')).toMatchObject({ ...total, until });
    expect(await budget('until: 2026-12-31T12:00:00+01:00, total: true')).toMatchObject({
      until: until + 11 * 3_600_000,
    });
    expect(await limitOf('{ value: <=3, until: 2026-12-31 }')).toMatchObject({ until });
  });

  it('keeps its counter when its end or its value changes, and shares none with a window', async () => {
    const { counter } = await budget('until: 2026-12-31');
    expect((await budget('until: 2027-06-30', '9 IOTA')).counter).toBe(counter);
    expect((await budget('total: true')).counter).toBe(counter);
    expect((await budget('window: 1 day')).counter).not.toBe(counter);
    const rule = (await limitOf('{ value: <=3, until: 2026-12-31 }')).counter;
    expect((await limitOf('{ value: <=4, total: true }')).counter).toBe(rule);
  });

  it.each([
    ['window: 1 day, until: 2026-12-31', /window and until are both given: remove window for one/],
    ['window: 1 day, total: true', /window and total are both given/],
    ['total: false', /total must be one of true/],
    ['until: soon', /until must be a date/],
    ["window: ''", /window must be one value/],
    ['count: 1', /sponsor-budget has no window, until or total: add one/],
  ])('is not %s', async (period, message) => {
    await expect(budget(period)).rejects.toThrow(message);
    await expect(budget(period)).rejects.toThrow(/^line 3: /);
  });

  it('has room until its end, and none from then on', async () => {
    const end = new Date('2026-11-21T12:30:00Z');
    const check = (limit: Awaited<ReturnType<typeof budget>>, now: Date) =>
      checkUsage(limit, subject({}, { time: now }), new Map())[0]!;
    const limit = await budget(`until: ${end.toISOString()}`);
    const before = check(limit, new Date(end.getTime() - 1));
    expect(before).toMatchObject({ expected: true, isOver: false });
    expect(claimedComparison(before)).toBe(limit.comparison);
    const after = check(limit, end);
    expect(after).toMatchObject({ expected: false, isOver: true, budget: null });
    expect(claimedComparison(after)).toEqual({ operator: '<', limit: 0n });
    const beyond = check(await limitOf(`{ value: '>3', until: ${end.toISOString()} }`), end);
    expect(beyond).toMatchObject({ expected: true, isOver: true });
    expect(claimedComparison(beyond)).toEqual({ operator: '>=', limit: 0n });
  });
});

describe('the budget of a limit', () => {
  const ofRule = async (limit: string, action = 'allow') => {
    const text = file('deny-all', `    - { name: few, requests: ${limit}, action: ${action} }`);
    const [only] = (await read(text)).rules[0]!.limits;
    return checkUsage(only!, subject({}, { caller: 'shop' }), new Map())[0]!.budget;
  };
  const few = { kind: 'rule', name: 'few', ruleSet: null, until: null };

  it('is named, and has the token that it counts alone', async () => {
    expect(await ofRule(`{ value: '<=3', window: 1 h }`)).toEqual({ ...few, token: null });
    const byToken = await ofRule(`{ value: '<3', window: 1 h, count-by: [token] }`);
    expect(byToken).toEqual({ ...few, token: 'shop' });
    const until = Date.UTC(2090, 0);
    expect(await ofRule(`{ value: '<=3', until: 2090-01-01 }`)).toMatchObject({ until });
  });

  it.each([
    `{ value: '<=3', window: 1 h, count-by: [sender-address] }`,
    `{ value: '<=3', window: 1 h, count-by: [token, package] }`,
    `{ value: '<=3', window: 1 h, count-by: ['http-header::x-user'] }`,
    `{ value: '<=3', window: 59 s }`,
    `{ value: '>3', window: 1 h }`,
    `{ value: '=3', window: 1 h }`,
  ])('is not announced for %s', async (limit) => {
    expect(await ofRule(limit)).toBeNull();
  });

  it('is not announced for a rule that denies within its limit', async () => {
    expect(await ofRule(`{ value: '<=3', window: 1 h }`, 'deny')).toBeNull();
  });
});

const OTHER = full('77');

/** A limit that is counted by package, with this action beyond or within one request. */
const byPackage = (value: string, action: string) =>
  `    - requests: { value: '${value}', window: 1 day, count-by: [package] }
      action: ${action}`;

describe('limits of similar rules', () => {
  it('have separate counters in each rule set, so that no token uses up the limit of another', async () => {
    const alike = `access-policy: deny-all
      rules: [{ requests: { value: '<=5', window: 1 day }, action: allow }]`;
    const { rules, ruleSets } = await read(`access-controller:
  ${alike.replace('      ', '  ')}
  rule-sets:
    shop:
      ${alike}
    game:
      ${alike}`);
    const all = [rules, ...[...ruleSets.values()].map((ruleSet) => ruleSet.rules)];
    const counters = all.map(([only]) => only!.limits[0]!.counter);
    expect(new Set(counters).size).toBe(3);
  });
});

describe('the counter of a limit with a window', () => {
  it('has the name that earlier releases have stored, so that no upgrade renews a limit', async () => {
    const { sponsorBudget, rules } = await read(`access-controller:
  access-policy: deny-all
  sponsor-budget: { value: 5, window: 1 day }
  rules:
    - { name: few, requests: { value: '<=5', window: 1 day, count-by: [token] }, action: allow }`);
    const { tokens } = readTokenFile(`tokens:
  - name: shop
    hash: ${'0f1e2d3c4b5a6978'.repeat(4)}
    role: sponsor
    budget: { value: 5, window: 1 day }`);
    const limits = [sponsorBudget[0]!, rules[0]!.limits[0]!, tokens[0]!.caller.budget[0]!];
    expect(limits.map(({ counter }) => counter)).toEqual([
      '348c302177fc4db08653775b4fbf8685',
      '4ff6a9569d8ec6b3df128ec6ec8d9e95',
      'b6a4743f6ab1a4bc9e33415066ca84e1',
    ]);
  });
});

describe('a sponsor’s budget that is used up', () => {
  it('limits what a rule allows, with nothing that the rule grants', async () => {
    const granted = `    - { name: costly, gas-price-ratio: '<=5', action: allow }`;
    const rules = await read(
      `${file('deny-all', granted)}\n  sponsor-budget: { value: 5 IOTA, window: 1 day }\n`,
    );
    const { counter } = rules.sponsorBudget[0]!;
    const allows = await decide(rules, subject({}));
    const limited = await decide(rules, subject({}), { [counter]: 5_000_000_000n });
    expect([allows.outcome, allows.rule?.name, allows.allowsGasPrice]).toEqual([
      'allow',
      'costly',
      true,
    ]);
    expect([limited.outcome, limited.rule, limited.allowsGasPrice]).toEqual([
      'limited',
      null,
      false,
    ]);
  });
});

describe('a limit that is counted by package', () => {
  it('needs one called package beyond it in a rule that denies', async () => {
    const rules = await read(file('allow-all', byPackage('>1', 'deny')));
    const [first] = (await decide(rules, subject({ moveCalls: [call(PACKAGE)] }))).checks;
    const used = { [first!.counter]: 1n };
    const calling = (...packages: string[]) =>
      decide(rules, subject({ moveCalls: packages.map((id) => call(id)) }), used);
    expect((await calling(PACKAGE)).outcome).toBe('limited');
    expect((await calling(OTHER)).outcome).toBe('allow');
    expect((await calling(PACKAGE, OTHER)).outcome).toBe('limited');
  });

  it('needs all called packages within it in a rule that allows', async () => {
    const rules = await read(file('deny-all', byPackage('<=1', 'allow')));
    const [first] = (await decide(rules, subject({ moveCalls: [call(PACKAGE)] }))).checks;
    const used = { [first!.counter]: 1n };
    const calling = (...packages: string[]) =>
      decide(rules, subject({ moveCalls: packages.map((id) => call(id)) }), used);
    expect((await calling(OTHER)).outcome).toBe('allow');
    expect((await calling(PACKAGE, OTHER)).outcome).toBe('limited');
  });
});
