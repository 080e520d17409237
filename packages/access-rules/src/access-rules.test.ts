import { describe, expect, it } from '@jest/globals';
import type { DecodedTransaction } from '@forecourt/ledger';
import { decideAccess } from './decide-access.js';
import { readAccessRules } from './read-access-rules.js';

const full = (digits: string) => `0x${digits.padStart(64, '0')}`;
const ALICE = full('0a');
const BOB = full('0b');
const PACKAGE = full('02');

function transaction(more: Partial<DecodedTransaction> = {}): DecodedTransaction {
  return {
    ...{ bytes: new Uint8Array(0), digest: 'D', sender: ALICE, gasOwner: BOB, gasPayment: [] },
    ...{ gasPrice: 1_000n, gasBudget: 500_000n, expirationEpoch: null, ownedInputs: [] },
    ...{ receivedInputs: [], sharedInputs: [], gasCoinUses: [], commandCount: 1, moveCalls: [] },
    ...more,
  };
}

const call = (packageId: string, module = 'm', name = 'f') => ({
  ...{ packageId, module, function: name },
});

const file = (policy: string, rules: string) =>
  `access-controller:\n  access-policy: ${policy}\n  rules:\n${rules}`;

function allowed(text: string, ...transactions: DecodedTransaction[]): boolean[] {
  const rules = readAccessRules(text);
  return transactions.map((one) => decideAccess(rules, one).allowed);
}

describe('the documented files of IOTA’s gas station', () => {
  it('allow one sender to call one package', () => {
    const text = file(
      'deny-all',
      `    - sender-address: "${ALICE}"
      move-call-package-address: "${PACKAGE}"
      action: 'allow' # allowed actions: 'allow', 'deny'`,
    );
    const moveCalls = [call(PACKAGE)];
    expect(
      allowed(
        text,
        transaction({ moveCalls }),
        transaction({ moveCalls, sender: BOB }),
        transaction(),
      ),
    ).toEqual([true, false, false]);
  });

  it('deny one sender', () => {
    const text = file('allow-all', `    - sender-address: "${ALICE}"\n      action: deny`);
    expect(allowed(text, transaction(), transaction({ sender: BOB }))).toEqual([false, true]);
  });

  it('bound the budget of one sender', () => {
    const text = file(
      'deny-all',
      `    - sender-address: "${ALICE}"
      transaction-gas-budget: <1000000 # allowed operators: =, !=, <, >, <=, >=
      action: allow`,
    );
    expect(
      allowed(text, transaction({ gasBudget: 999_999n }), transaction({ gasBudget: 1_000_000n })),
    ).toEqual([true, false]);
  });

  it('let the first rule that matches decide', () => {
    const text = file(
      'deny-all',
      `    - sender-address: "${ALICE}"
      transaction-gas-budget: '<=10000000'
      action: allow

    - sender-address: '*'
      transaction-gas-budget: '<500000'
      action: allow`,
    );
    const gasBudget = 600_000n;
    expect(
      allowed(
        text,
        ...[transaction({ gasBudget }), transaction({ gasBudget, sender: BOB })],
        transaction({ gasBudget: 499_999n, sender: BOB }),
      ),
    ).toEqual([true, false, true]);
  });

  it('bound the number of commands', () => {
    const text = file(
      'deny-all',
      `    - sender-address: '*'\n      ptb-command-count: <=1\n      action: allow`,
    );
    expect(allowed(text, transaction(), transaction({ commandCount: 2 }))).toEqual([true, false]);
  });
});

describe('rules', () => {
  it.each([
    ['disabled', true],
    ['allow-all', true],
    ['deny-all', false],
  ])('leave what none decides to the policy %s', (policy, expected) => {
    expect(allowed(`access-controller:\n  access-policy: ${policy}`, transaction())).toEqual([
      expected,
    ]);
  });

  it('are not asked when the policy is disabled', () => {
    const text = file('disabled', `    - action: deny`);
    expect(allowed(text, transaction())).toEqual([true]);
  });

  it('know an address however it is spelt', () => {
    for (const spelt of ['0xA', '0x0a', '0x000A', ALICE.toUpperCase().replace('X', 'x')]) {
      const text = file(
        'deny-all',
        `    - sender-address: ["${spelt}", "0xb"]\n      action: allow`,
      );
      expect(allowed(text, transaction(), transaction({ sender: BOB }))).toEqual([true, true]);
    }
  });

  it('that allow speak for every Move call, those that deny for any', () => {
    const both = { moveCalls: [call(PACKAGE), call(BOB)] };
    const only = { moveCalls: [call(PACKAGE), call(PACKAGE, 'n')] };
    const condition = `    - move-call-package-address: "${PACKAGE}"\n      action:`;
    expect(
      allowed(file('deny-all', `${condition} allow`), transaction(only), transaction(both)),
    ).toEqual([true, false]);
    expect(
      allowed(file('allow-all', `${condition} deny`), transaction(both), transaction()),
    ).toEqual([false, true]);
  });

  it('name functions, with * for any part', () => {
    const text = file(
      'deny-all',
      `    - move-call-function: ["0x2::m::f", "0xb::*::run"]\n      action: allow`,
    );
    const calling = (...moveCalls: ReturnType<typeof call>[]) => transaction({ moveCalls });
    expect(
      allowed(
        text,
        ...[
          calling(call(PACKAGE)),
          calling(call(PACKAGE, 'm', 'g')),
          calling(call(BOB, 'x', 'run')),
        ],
        ...[calling(call(PACKAGE), call(BOB, 'y', 'run')), calling(call(PACKAGE), call(ALICE))],
      ),
    ).toEqual([true, false, true, true, false]);
  });

  it.each([
    ['=', [false, true, false]],
    ['!=', [true, false, true]],
    ['<', [true, false, false]],
    ['>', [false, false, true]],
    ['<=', [true, true, false]],
    ['>=', [false, true, true]],
  ])('compare with %s, exactly', (operator, expected) => {
    const limit = 9_007_199_254_740_993n;
    const text = file(
      'deny-all',
      `    - transaction-gas-budget: '${operator}${limit}'\n      action: allow`,
    );
    const budgets = [limit - 1n, limit, limit + 1n];
    expect(allowed(text, ...budgets.map((gasBudget) => transaction({ gasBudget })))).toEqual(
      expected,
    );
  });
});

describe('a file with a mistake', () => {
  it.each<[string, string, number, RegExp]>([
    ['no YAML', 'access-controller: [', 1, /./],
    ['no controller', 'rules: []', 1, /the file has no rules|mapping/],
    ['no policy', 'access-controller:\n  rules: []', 1, /access-policy must be one of/],
    ['a wrong policy', 'access-controller:\n  access-policy: allow', 2, /access-policy/],
    [
      'an unknown key',
      'access-controller:\n  access-policy: deny-all\n  rule: []',
      3,
      /has no rule/,
    ],
    [
      'a key twice',
      'access-controller:\n  access-policy: deny-all\n  access-policy: allow-all',
      3,
      /unique/,
    ],
    ['rules that are no list', file('deny-all', '    a: 1'), 4, /must be a list/],
    ['no action', file('deny-all', '    - sender-address: "*"'), 4, /no action/],
    ['a wrong action', file('deny-all', '    - action: permit'), 4, /allow or deny/],
    ['a hook', file('deny-all', '    - action: http://127.0.0.1:1'), 4, /hook is not served/],
    [
      'a misspelt condition',
      file('deny-all', '    - action: allow\n      sender-adress: "0x1"'),
      ...([5, /a rule has no sender-adress/] as const),
    ],
    [
      'a condition that is not served',
      file('deny-all', '    - action: allow\n      gas-usage: { value: "<1", window: 1 day }'),
      ...([5, /gas-usage is not served/] as const),
    ],
    [
      'an address without quotes',
      file('deny-all', '    - action: allow\n      sender-address: 0x01'),
      ...([5, /in quotes/] as const),
    ],
    [
      'an empty list',
      file('deny-all', '    - action: allow\n      sender-address: []'),
      ...([5, /empty list/] as const),
    ],
    [
      'no comparison',
      file('deny-all', '    - action: allow\n      ptb-command-count: 1'),
      ...([5, /one of = !=/] as const),
    ],
    [
      'an alias bomb',
      'a: &a [x, x]\nb: &b [*a, *a]\naccess-controller:\n  access-policy: deny-all\n  rules: [*b]',
      ...([1, /./] as const),
    ],
  ])('is refused at its line: %s', (_name, text, line, reason) => {
    let error: unknown;
    try {
      readAccessRules(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      name: 'InvalidAccessRules',
      reason: expect.stringMatching(reason),
    });
    expect((error as { line: number }).line).toBeGreaterThanOrEqual(line === 1 ? 1 : line);
    if (line > 1) expect((error as { line: number }).line).toBe(line);
  });
});
