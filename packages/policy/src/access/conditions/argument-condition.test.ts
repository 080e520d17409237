import type { ArgumentValue, CallArgument } from '@forecourt/ledger';
import { describe, expect, it } from '@jest/globals';
import {
  ALICE,
  allowed,
  BOB,
  call,
  decide,
  file,
  full,
  PACKAGE,
  read,
  subject,
} from '../access-rules.test-support.js';
import type { AccessSubject } from '../access-subject.js';
import { AccessUndecided } from '../access-undecided.js';

const U64_MAX = 2n ** 64n - 1n;
const U256_MAX = 2n ** 256n - 1n;

const pure = (type: string, value: ArgumentValue | undefined): CallArgument => ({
  kind: 'pure',
  isLent: false,
  type,
  value,
});
const object = (objectId: string): CallArgument => ({
  kind: 'object',
  objectId,
  use: 'owned',
  type: '0x2::coin::Coin<u8>',
});

/** Calls of `buy`, or of the named function, each with its arguments after a first one. */
function calling(...calls: readonly (readonly [string, ...CallArgument[]])[]) {
  const moveCalls = calls.map(([name]) => call(PACKAGE, 'shop', name));
  const all = calls.map(([, ...values]) => [object(full('9')), ...values]);
  const readArguments = () => Promise.resolve((index: number) => all[index]!);
  return subject({ moveCalls }, { readArguments });
}
const buying = (...values: readonly CallArgument[]) =>
  calling(...values.map((value) => ['buy', value] as const));

const BUY = `${PACKAGE}::shop::buy`;
const argument = (value: string, more = '') =>
  `argument: { function: '${BUY}', index: 1, value: ${value} }${more}`;
const anyOf = (count: number, test: string) => Array(count).fill(test).join(' || ');
const allowing = (condition: string) => file('deny-all', `    - ${condition}\n      action: allow`);
const denying = (condition: string) => file('allow-all', `    - ${condition}\n      action: deny`);

/**
 * The least processor time of five decisions against the transaction, in ms: other work of the process
 * varies.
 */
async function leastTime(expression: string, of: AccessSubject): Promise<number> {
  const rules = await read(allowing(`expression: '${expression}'`));
  let least = Infinity;
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = process.cpuUsage();
    expect(await decide(rules, of)).toMatchObject({ outcome: 'deny' });
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

describe('a condition on an argument', () => {
  it.each<[string, CallArgument, boolean]>([
    ["'<=1000'", pure('u64', 1_000n), true],
    ["'<=1000'", pure('u64', 1_001n), false],
    [`'<=${U64_MAX}'`, pure('u64', U64_MAX), true],
    [`'<${U64_MAX}'`, pure('u64', U64_MAX), false],
    [`${U64_MAX - 1n}`, pure('u64', U64_MAX), false],
    [`${U256_MAX}`, pure('u256', U256_MAX), true],
    ['[5, 7]', pure('u8', 7n), true],
    ['[5, 7]', pure('u8', 6n), false],
    ["'!=7'", pure('u8', 6n), true],
    ['true', pure('bool', true), true],
    ['true', pure('bool', false), false],
    ['gold', pure(`${full('1')}::string::String`, 'gold'), true],
    ['[gold, red]', pure(`${full('1')}::string::String`, 'blue'), false],
    ["'!=gold'", pure(`${full('1')}::ascii::String`, 'blue'), true],
    ["'5'", pure(`${full('1')}::string::String`, '5'), true],
    ["'0xb'", pure('address', BOB), true],
    ["'0xb'", pure('address', ALICE), false],
    ["'0xb'", pure(`${full('2')}::object::ID`, BOB), true],
    ["'!=0xb'", pure('address', BOB), false],
    ["'0xb'", object(BOB), true],
    ["'0xb'", object(ALICE), false],
    ["'<=9'", pure('vector<u64>', [1n, 9n]), true],
    ["'<=9'", pure('vector<vector<u64>>', [[1n], [10n]]), false],
    ["'0xb'", pure('vector<address>', [BOB, ALICE]), false],
    ["'<=9'", pure('vector<u64>', []), true],
    ["'<=9'", pure('vector<u8>', Uint8Array.of(0, 9)), true],
    ["'<=9'", pure('vector<u8>', Uint8Array.of(0, 10)), false],
    ["'<=9'", pure('vector<vector<u8>>', [Uint8Array.of(1), Uint8Array.of(10)]), false],
    ["'<=9'", pure(`${full('1')}::option::Option<u64>`, 9n), true],
    ["'<=9'", pure(`${full('1')}::option::Option<u64>`, null), false],
    ["'0xb'", pure(`vector<${full('1')}::option::Option<address>>`, [BOB]), true],
  ])('compares %s with %j', async (value, given, holds) => {
    expect(await allowed(allowing(argument(value)), buying(given))).toEqual([holds]);
    const isDenied = !(await allowed(denying(argument(value)), buying(given)))[0];
    const isVector =
      given.kind === 'pure' && typeof given.value === 'object' && given.value !== null;
    // Of a vector, one element is enough to deny.
    if (!isVector) expect(isDenied).toBe(holds);
  });

  it.each<[string, string, CallArgument]>([
    ['a value that cannot be decoded', "'<=9'", pure('u64', undefined)],
    [
      'the result of an earlier command',
      "'<=9'",
      { kind: 'result', command: 0, index: 0, type: 'u64' },
    ],
    ['the gas coin', "'<=9'", { kind: 'gas', type: null }],
    ['a number where text is expected', 'gold', pure('u64', 5n)],
    ['text where a number is expected', "'<=9'", pure(`${full('1')}::string::String`, '5')],
    ['an address where text is expected', 'gold', pure('address', BOB)],
    ['an object where a number is expected', "'<=9'", object(BOB)],
    ['a boolean where a number is expected', '7', pure('bool', true)],
    ['an element that cannot be compared', 'true', pure('vector<u8>', [1n])],
  ])('is undecided about %s: it does not allow, and it denies', async (_, value, given) => {
    expect(await allowed(allowing(argument(value)), buying(given))).toEqual([false]);
    expect(await allowed(denying(argument(value)), buying(given))).toEqual([false]);
  });

  it('is undecided about an argument that the call does not have', async () => {
    const short = calling(['buy']);
    expect(await allowed(allowing(argument('5')), short)).toEqual([false]);
    expect(await allowed(denying(argument('5')), short)).toEqual([false]);
  });

  it('needs every call of the function to allow, and one to deny', async () => {
    const [cheap, dear] = [pure('u64', 5n), pure('u64', 2_000n)];
    const subjects = [buying(cheap, cheap), buying(cheap, dear), buying(dear, cheap)];
    expect(await allowed(allowing(argument("'<=1000'")), ...subjects)).toEqual([
      true,
      false,
      false,
    ]);
    expect(await allowed(denying(argument("'>1000'")), ...subjects)).toEqual([true, false, false]);
  });

  it('needs every entry to allow, and one to deny', async () => {
    const entries = (...values: readonly [number, string][]) =>
      `argument: [${values.map(([index, value]) => `{ function: '${BUY}', index: ${index}, value: '${value}' }`).join(', ')}]`;
    const both = entries([1, '<=9'], [2, '<=9']);
    const of = (...values: readonly bigint[]) =>
      calling(['buy', ...values.map((value) => pure('u64', value))]);
    const subjects = [of(1n, 2n), of(1n, 10n), of(10n, 10n)];
    expect(await allowed(allowing(both), ...subjects)).toEqual([true, false, false]);
    expect(await allowed(denying(both), ...subjects)).toEqual([false, false, true]);
  });

  it('does not allow another function, unless another condition covers it, or another command', async () => {
    const given = pure('u64', 5n);
    const subjects = [
      calling(['buy', given], ['sell', given]),
      calling(['sell', given]),
      subject({ commandKinds: ['SplitCoins'] }),
    ];
    expect(await allowed(allowing(argument('5')), ...subjects)).toEqual([false, false, false]);
    const covered = argument('5', `\n      move-call-package-address: '${PACKAGE}'`);
    expect(await allowed(allowing(covered), ...subjects)).toEqual([true, false, false]);
    const kinds = argument('5', '\n      command-kind: [MoveCall, SplitCoins]');
    const withSplit = calling(['buy', given]);
    const split = { ...withSplit.transaction, commandKinds: ['MoveCall', 'SplitCoins'] as const };
    const both = { ...withSplit, transaction: split };
    expect(await allowed(allowing(argument('5')), both)).toEqual([false]);
    expect(await allowed(allowing(kinds), both)).toEqual([true]);
  });

  it('compares a value once, however many calls take it, and bytes by their 256 values', async () => {
    const elements = Array.from({ length: 10_000 }, (_, index) => BigInt(index % 9));
    let looks = 0;
    const vector = new Proxy(elements, {
      get: (of, key) => (
        (looks += Number(typeof key === 'string')),
        Reflect.get(of, key) as unknown
      ),
    });
    for (const value of [vector, new Uint8Array(16_000).fill(8)]) {
      const many = buying(...Array.from({ length: 1_000 }, () => pure('vector<u64>', value)));
      expect(await allowed(allowing(argument("'<=8'")), many)).toEqual([true]);
      expect(await allowed(denying(argument("'>8'")), many)).toEqual([true]);
    }
    expect(looks).toBeLessThan(5 * elements.length);
  });

  it('is undecided about a value whose type is too long to be written', async () => {
    const given: CallArgument = { kind: 'pure', isLent: false, type: null, value: BOB };
    expect(await allowed(allowing(argument("'!=0xa'")), buying(given))).toEqual([false]);
    expect(await allowed(denying(argument("'=0xa'")), buying(given))).toEqual([false]);
  });

  it('does not ask the ledger about transactions that do not call the function, or fail another condition', async () => {
    const requests: string[] = [];
    const watched = (of: ReturnType<typeof subject>) => ({
      ...of,
      readArguments: async (...args: Parameters<typeof of.readArguments>) => {
        requests.push(
          of.transaction.moveCalls
            .filter(args[0])
            .map((one) => one.function)
            .join(),
        );
        return of.readArguments(...args);
      },
    });
    const given = pure('u64', 5n);
    const rule = argument('5', `\n      sender-address: '${ALICE}'`);
    await allowed(
      allowing(rule),
      watched(calling(['sell', given])),
      watched(subject({ ...buying(given).transaction, sender: BOB })),
      watched(calling(['buy', given], ['sell', given])),
    );
    expect(requests).toEqual(['buy']);
  });

  it('leaves the transaction undecided while the ledger does not answer', async () => {
    const rules = await read(denying(argument('5')));
    const down = {
      ...buying(pure('u64', 5n)),
      readArguments: () => Promise.reject(new AccessUndecided('the ledger: no answer')),
    };
    await expect(decide(rules, down)).rejects.toThrow('the ledger: no answer');
  });

  it.each([
    ['no index', `argument: { function: '${BUY}', value: 5 }`, /has no index/],
    [
      'an index that is not a number',
      `argument: { function: '${BUY}', index: x, value: 5 }`,
      /position/,
    ],
    ['a negative index', `argument: { function: '${BUY}', index: -1, value: 5 }`, /position/],
    ['no value', `argument: { function: '${BUY}', index: 1 }`, /has no value/],
    ['no function', 'argument: { index: 1, value: 5 }', /has no function/],
    [
      'a function without a module',
      "argument: { function: '0x2::f', index: 1, value: 5 }",
      /<module>/,
    ],
    ['a comparison with text', argument("'<=gold'"), /whole number/],
    ['a list with !=', argument("['!=5', '!=6']"), /an entry for each/],
    ['an unknown key', argument('5').replace(' }', ', kind: pure }'), /unknown key/],
  ])('names the line of a mistake: %s', async (_, condition, message) => {
    await expect(read(allowing(condition))).rejects.toThrow(message);
  });
});

describe('an expression on arguments', () => {
  const given = calling(
    ['buy', pure('u64', 1_000n), pure('vector<address>', [BOB])],
    ['buy', pure('u128', U256_MAX), { kind: 'result', command: 0, index: 1, type: 'u8' }],
  );

  it.each([
    'tx.calls[0].args[1].value <= 1000',
    `tx.calls[1].args[1].value == ${U256_MAX}`,
    `tx.calls[0].args[2].value == ["${BOB}"] && size(tx.calls[0].args) == 3`,
    'tx.calls[0].args[2].value.exists(a, a.startsWith("0x"))',
    'tx.calls.all(c, c.args[1].kind == "pure")',
    `tx.calls[0].args[0].objectId == "${full('9')}" && tx.calls[0].args[0].use == "owned"`,
    'tx.calls[0].args[1].type == "u64" && tx.calls[1].args[2].kind == "result"',
  ])('reads them exactly: %s', async (expression) => {
    expect(await allowed(allowing(`expression: '${expression}'`), given)).toEqual([true]);
    expect(await allowed(allowing(`expression: '!(${expression})'`), given)).toEqual([false]);
  });

  it.each([
    'tx.calls[1].args[2].value == 1',
    'tx.calls[0].args[7].value == 1',
    'tx.calls[0].args[0].value == 1',
    'tx.calls[0].args[1].value == "x" || tx.calls[0].args[1].value <= "x"',
  ])('is undecided about what is not known: %s', async (expression) => {
    expect(await allowed(allowing(`expression: '${expression}'`), given)).toEqual([false]);
    expect(await allowed(denying(`expression: '${expression}'`), given)).toEqual([false]);
  });

  it('does not iterate long over a large vector', async () => {
    const many = Array.from({ length: 16_000 }, (_, index) => BigInt(index));
    const large = calling(['buy', pure('vector<u64>', many)]);
    const nested = 'tx.calls[0].args[1].value.all(a, tx.calls[0].args[1].value.all(b, a + b >= 0))';
    const start = performance.now();
    expect(await allowed(allowing(`expression: '${nested}'`), large)).toEqual([false]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('looks at a value of many calls in bounded time, also where a failure is caught', async () => {
    const bytes = new Uint8Array(16_000).fill(7);
    const value = pure('vector<u8>', bytes);
    const large = calling(...Array.from({ length: 1_000 }, () => ['buy', value] as const));
    const all = 'tx.calls.all(c, c.args[1].value == tx.calls[0].args[1].value)';
    for (const expression of [all, `${all} || tx.calls[0].args[1].kind == "pure"`]) {
      expect(await allowed(allowing(`expression: '${expression}'`), large)).toEqual([false]);
      expect(await allowed(denying(`expression: '${expression}'`), large)).toEqual([false]);
    }
  });

  it.each([
    'size(a.value) < 10',
    'a.value + "x" == ""',
    'c.args[200].kind == ""',
    'c.args.size() == int(c.name)',
  ])('does not catch failures for long: %s', async (failing) => {
    const values = Array.from({ length: 99 }, () => pure('u64', 7n));
    const large = calling(...Array.from({ length: 100 }, () => ['buy', ...values] as const));
    const expression = `tx.calls.exists(c, c.args.exists(a, ${failing}))`;
    expect(await leastTime(expression, large)).toBeLessThan(40);
  });

  it.each([
    ['failures of type arguments', anyOf(50, 'c.typeArguments[5] == "x"')],
    ['failures of arithmetic', anyOf(50, '1 / 0 == 2')],
    ['failures of arguments', anyOf(20, 'c.args[5].kind == "x"')],
    ['a list of the rule', `c.packageId in [${Array(900).fill('"0x1"').join(', ')}]`],
    ['a list of the transaction', 'size(tx.ownedObjects + tx.ownedObjects + tx.ownedObjects) == 1'],
  ])('does not work long for each of many calls: %s', async (_, tested) => {
    const calls = Array.from({ length: 1_024 }, () => ['buy', pure('u64', 7n)] as const);
    const of = calling(...calls);
    const ownedInputs = Array.from({ length: 1_000 }, () => ({
      objectId: full('9'),
      version: 1,
      digest: 'D',
    }));
    const large = { ...of, transaction: { ...of.transaction, ownedInputs } };
    expect(await leastTime(`tx.calls.exists(c, ${tested})`, large)).toBeLessThan(40);
  });

  it('reads arguments of as many calls as a transaction has', async () => {
    const calls = Array.from({ length: 1_024 }, () => ['buy', pure('u64', 7n)] as const);
    const expression = 'tx.calls.all(c, c.args[1].value >= 5 && c.args[1].value <= 9)';
    expect(await allowed(allowing(`expression: '${expression}'`), calling(...calls))).toEqual([
      true,
    ]);
  });

  it('compares each of as many calls with a long list of the rule', async () => {
    const calls = Array.from({ length: 1_024 }, () => ['buy'] as const);
    const others = Array.from({ length: 399 }, (_, index) => `"${full(index.toString(16))}"`);
    const expression = `tx.calls.all(c, c.packageId in [${others.join(', ')}, "${PACKAGE}"])`;
    expect(await allowed(allowing(`expression: '${expression}'`), calling(...calls))).toEqual([
      true,
    ]);
  });

  it.each([
    ['bytes', pure('vector<u8>', Uint8Array.of(1, 255)), 'tx.calls[0].args[1].value == [1, 255]'],
    [
      'bytes in a vector',
      pure('vector<vector<u8>>', [Uint8Array.of(1), Uint8Array.of(255)]),
      'tx.calls[0].args[1].value.all(v, v.all(b, b > 0)) && size(tx.calls[0].args[1].value) == 2',
    ],
  ])('reads %s as numbers', async (_, value, expression) => {
    expect(await allowed(allowing(`expression: '${expression}'`), calling(['buy', value]))).toEqual(
      [true],
    );
  });

  it('matches patterns with a bounded number of characters', async () => {
    const text = pure(`${full('1')}::string::String`, 'x'.repeat(16_000));
    const of = (count: number) =>
      calling(...Array.from({ length: count }, () => ['buy', text] as const));
    const expression = 'tx.calls.all(c, matches(c.args[1].value, "^x*$"))';
    const rule = allowing(`expression: '${expression}'`);
    expect(await allowed(rule, of(1), of(1_000))).toEqual([true, false]);
  });

  it.each<[string, string, string[]]>([
    ['nothing', `onlyCalls(tx, ["${BUY}"]) && tx.calls.all(c, c.args[1].value <= 9)`, []],
    ['nothing', 'size(tx.calls) > 1 || tx.calls[0].args[1].value == 1', []],
    ['two calls', 'tx.calls[0].args[1].value <= 9 && tx.calls[1].args[1].value <= 9', ['buy,sell']],
    ['one call', 'tx.calls.all(c, c.name != "buy" || c.args[1].value <= 9)', ['buy']],
    [
      'all calls, after one of them',
      'tx.calls[0].args[1].value <= 9 ? tx.calls[1].args[1].value <= 9 : false',
      ['buy', 'buy,sell'],
    ],
  ])('asks the ledger for what it needs: %s by %s', async (_, expression, needed) => {
    const two = calling(['buy', pure('u64', 5n)], ['sell', pure('u64', 5n)]);
    const requests: string[] = [];
    const readArguments: typeof two.readArguments = (isRelevant) => {
      const names = two.transaction.moveCalls.filter(isRelevant).map((one) => one.function);
      requests.push(names.join());
      return two.readArguments(isRelevant);
    };
    await allowed(allowing(`expression: '${expression}'`), { ...two, readArguments });
    expect(requests).toEqual(needed);
  });

  it('asks the ledger for nothing without args, also where another name contains them', async () => {
    const refusing = { ...given, readArguments: () => Promise.reject(new Error('asked')) };
    const expression = 'size(tx.calls[0].typeArguments) == 0 && token != "args"';
    expect(await allowed(allowing(`expression: '${expression}'`), refusing)).toEqual([true]);
  });
});
