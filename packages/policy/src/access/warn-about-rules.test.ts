import { describe, expect, it } from '@jest/globals';
import { file, read } from './access-rules.test-support.js';
import { warnAboutLimits, warnAboutRules } from './warn-about-rules.js';

const warnings = async (text: string) => warnAboutRules(await read(text));
const rule = (lines: string, policy = 'deny-all') => warnings(file(policy, `    - ${lines}`));
const BOUND = "gas-usage: { value: '<=1 IOTA', window: 1 day }";
const BUDGET = '  sponsor-budget: { value: 9 IOTA, window: 1 day }\n';
const FUNCTION = "move-call-function: '0x2::m::f'";

describe('warnings about rules', () => {
  it.each([
    `{ ${FUNCTION}, ${BOUND}, action: allow }`,
    `{ ${FUNCTION}, ${BOUND}, command-kind: [MoveCall, MakeMoveVec], action: allow }`,
    `{ sender-address: '0x1', command-kind: MoveCall, ${BOUND} }`,
    `{ expression: 'onlyCalls(tx, ["0x2::m::f"])', ${BOUND}, action: allow }`,
    `{ ${BOUND}, action: 'http://127.0.0.1:1' }`,
    '{ command-kind: "*", action: deny }',
    '{ expression: "tx.calls.all(c, true)", action: deny }',
  ])('are absent for a rule without a risk: %s', async (lines) => {
    expect(await rule(lines)).toEqual([]);
  });

  it.each<[string, RegExp]>([
    [`{ ${FUNCTION}, action: allow }`, /^rule at line 4: it has no limit on gas: .*add gas-usage/],
    [`{ ${FUNCTION}, requests: { value: '<9', window: 1d } }`, /no limit on gas/],
    [`{ ${FUNCTION}, gas-usage: { value: '>9', window: 1d }, action: allow }`, /no limit on gas/],
    [
      `{ ${FUNCTION}, gas-usage: { value: '<=9', window: 1d, count-by: [sender-address] } }`,
      /users choose themselves/,
    ],
    [
      `{ ${FUNCTION}, gas-usage: { value: '<=9', window: 1d, count-by: [token, "http-header::x"] } }`,
      /users choose themselves/,
    ],
    [
      `{ name: all, ${FUNCTION}, ${BOUND}, command-kind: [MoveCall, Publish] }`,
      /^rule all \(line 4\): its command-kind names Publish, /,
    ],
    [
      `{ command-kind: [SplitCoins, TransferObjects], ${BOUND} }`,
      /names SplitCoins, TransferObjects/,
    ],
    [`{ sender-address: '*', ${BOUND} }`, /does not restrict what transactions do/],
    [`{ expression: 'tx.sender != "0x"', ${BOUND}, action: allow }`, /does not restrict what/],
    [
      `{ expression: 'tx.calls.all(c, c.module == "m")', ${BOUND}, action: allow }`,
      /uses all\(…\), which is true of an empty list/,
    ],
    [`{ ${BOUND}, action: { url: 'http://127.0.0.1:1', when-down: allow } }`, /make the hook fail/],
  ])('name the transactions that a rule allows: %s', async (lines, warning) => {
    expect(await rule(lines)).toEqual([expect.stringMatching(warning)]);
  });

  it('name both risks of a rule that allows every kind', async () => {
    expect(await rule(`{ command-kind: '*', ${BOUND}, action: allow }`)).toEqual([
      expect.stringContaining('names Publish, Upgrade'),
      expect.stringContaining('names SplitCoins, MergeCoins, TransferObjects'),
    ]);
  });

  it('name the transactions that a policy allows', async () => {
    expect(await warnings('access-controller:\n  access-policy: disabled\n')).toEqual([
      expect.stringMatching(/^access-policy disabled: everything is sponsored, including Publish/),
    ]);
    expect(await warnings('access-controller:\n  access-policy: allow-all\n')).toEqual([
      expect.stringMatching(/^access-policy allow-all: it sponsors Publish, Upgrade for everyone/),
      expect.stringMatching(/it sponsors SplitCoins, MergeCoins, TransferObjects/),
      expect.stringMatching(/nothing limits the storage deposits/),
    ]);
    const denied = `{ sender-address: '*', command-kind: [Publish, Upgrade], action: deny }
    - { command-kind: [SplitCoins, MergeCoins, TransferObjects], action: deny }
    - { sender-address: '*', gas-usage: { value: '>5 IOTA', window: 1 day }, action: deny }`;
    expect(await rule(denied, 'allow-all')).toEqual([]);
    const ofSome = "{ sender-address: '0x1', command-kind: '*', action: deny }";
    expect(await rule(ofSome, 'allow-all')).toHaveLength(3);
  });

  it('accept a sponsor budget as a limit, and name rule sets', async () => {
    const rules = `  rules:\n    - { ${FUNCTION}, action: allow }\n`;
    const sets = `  rule-sets:\n    shop:\n      access-policy: deny-all\n      rules:\n        - { command-kind: Publish, action: allow }\n`;
    expect(
      await warnings(`access-controller:\n  access-policy: deny-all\n${BUDGET}${rules}${sets}`),
    ).toEqual([expect.stringMatching(/^rule set shop, rule at line 10: its command-kind names/)]);
  });
});

describe('a limit in the smallest unit that no transaction fits', () => {
  const limits = async (text: string) => {
    const rules = await read(text);
    return warnAboutLimits(rules, new Map([['shop', rules.sponsorBudget]]));
  };
  const allowing = (lines: string) => limits(file('deny-all', `    - { ${lines}, action: allow }`));

  it('makes a warning for budgets, with the amount in both units', async () => {
    const budget = (value: string) => `  sponsor-budget: { value: ${value}, window: 1 day }\n`;
    expect(await limits(file('deny-all', '') + budget('100'))).toEqual([
      'sponsor-budget: its limit of 100 is in the smallest unit, 0.0000001 IOTA, and less than any transaction costs; if IOTA is meant, write 100 IOTA',
      expect.stringMatching(/^budget of token shop: its limit of 100 /),
    ]);
    for (const value of ['100 IOTA', '1_000_000', '0.001 IOTA']) {
      expect(await limits(file('deny-all', '') + budget(value))).toEqual([]);
    }
  });

  it.each([
    [
      "name: few, gas-usage: { value: '<=5', window: 1 day }",
      /^rule few \(line 4\): its limit of 5 /,
    ],
    ["transaction-gas-budget: '<=5'", /line 4: its transaction-gas-budget of 5 /],
    ["reservation-gas-budget: '<0_100'", /its reservation-gas-budget of 100 /],
  ])('makes a warning for a rule: %s', async (lines, warning) => {
    expect(await allowing(lines)).toEqual([expect.stringMatching(warning)]);
  });

  it.each([
    "requests: { value: '<=5', window: 1 day }",
    "gas-usage: { value: '>5', window: 1 day }",
    "transaction-gas-budget: '<=0.005 IOTA'",
    "reservation-gas-budget: '>=5'",
  ])('makes none for %s', async (lines) => {
    expect(await allowing(lines)).toEqual([]);
  });
});

describe('a time that is over', () => {
  it('makes a warning with the name of its rule, since it never holds again', async () => {
    const rules = await read(
      file(
        'deny-all',
        `    - { name: sale, time: { before: 2020-01-31 }, action: allow }
    - { time: { after: 2020-01-01, before: '2020-12-31T12:00Z', days: mon }, action: deny }
    - { time: { before: 2090-01-31 }, action: allow }
    - { time: { after: 2020-01-31 }, action: allow }
`,
      ),
    );
    expect(warnAboutLimits(rules, new Map())).toEqual([
      'rule sale (line 4): its time ended at 2020-01-31T00:00:00.000Z and never holds again; set a later before, or remove the rule',
      'rule at line 5: its time ended at 2020-12-31T12:00:00.000Z and never holds again; set a later before, or remove the rule',
    ]);
  });
});

describe('a limit that has ended', () => {
  it('makes a warning with the name of its rule or budget', async () => {
    const few = `    - { name: few, requests: { value: <=1, until: 2020-01-31 }, action: allow }
`;
    const other = '    - { requests: { value: <=1, until: 2090-01-31 }, action: allow }\n';
    const rules = await read(
      `${file('deny-all', few + other)}  sponsor-budget: { value: 9, until: 2021-01-31T12:00:00Z }
`,
    );
    const budgets = new Map([['shop', rules.sponsorBudget]]);
    expect(warnAboutLimits(rules, budgets)).toEqual([
      'sponsor-budget: its limit ended at 2021-01-31T12:00:00.000Z and has no room; set a later until, or remove it',
      'rule few (line 4): its limit ended at 2020-01-31T00:00:00.000Z and has no room; set a later until, or remove it',
      'budget of token shop: its limit ended at 2021-01-31T12:00:00.000Z and has no room; set a later until, or remove it',
    ]);
  });
});
