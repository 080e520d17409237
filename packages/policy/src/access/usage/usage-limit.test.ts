import { describe, expect, it } from '@jest/globals';
import { call, decide, file, full, PACKAGE, read, subject } from '../access-rules.test-support.js';
import { checkUsage, readDailyCap } from './usage-limit.js';

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
