import { describe, expect, it } from '@jest/globals';
import type { CommandKind } from '@forecourt/ledger';
import {
  allowed,
  call,
  decide,
  file,
  full,
  PACKAGE,
  read,
  subject,
} from './access-rules.test-support.js';
import { decideAccess } from './decide-access.js';

const allowing = (conditions: string) => file('deny-all', `    - action: allow\n${conditions}`);
const denying = (conditions: string) => file('allow-all', `    - action: deny\n${conditions}`);

const OBJECT = full('6');
const COIN = `${full('2')}::coin::Coin`;
const BAD = `${full('bad')}::m::BAD`;
const sharedInputs = [{ objectId: OBJECT, initialSharedVersion: 1, mutable: true }];
const good = call(PACKAGE, 'm', 'f', ['u64'], [OBJECT]);

const withKinds = (...commandKinds: CommandKind[]) =>
  subject({ sharedInputs, moveCalls: [good], commandKinds });

const contentConditions = [
  `move-call-package-address: "${PACKAGE}"`,
  `move-call-function: "${PACKAGE}::m::f"`,
  'type-argument: u64',
  `object-id: "${OBJECT}"`,
];
const otherConditions = [
  'sender-address: "*"',
  'token: shop',
  'ptb-command-count: <10',
  'transaction-gas-budget: ">0"',
  'gas-price-ratio: <=1',
  'requests: { value: "<=9", window: 1 day }',
  'expression: size(tx.calls) > 0',
];
const everyCondition = [...contentConditions, ...otherConditions];

describe('a rule that allows', () => {
  it.each(everyCondition)(
    'does not cover Publish and Upgrade unless it names them: %s',
    async (condition) => {
      const published = [withKinds('MoveCall', 'Publish'), withKinds('MoveCall', 'Upgrade')];
      const text = allowing(`      ${condition}`);
      expect(await allowed(text, withKinds('MoveCall'), ...published)).toEqual([
        true,
        false,
        false,
      ]);
      const named = `      ${condition}\n      command-kind: [MoveCall, Publish]`;
      expect(await allowed(allowing(named), ...published)).toEqual([true, false]);
    },
  );

  it.each(contentConditions)(
    'allows Move calls and no other command with a content condition: %s',
    async (condition) => {
      const text = (kinds: string) => allowing(`      ${condition}\n${kinds}`);
      for (const rider of ['SplitCoins', 'MergeCoins', 'TransferObjects'] as const) {
        const riding = withKinds('MoveCall', rider);
        expect(await allowed(text(''), riding)).toEqual([false]);
        expect(await allowed(text(`      command-kind: [MoveCall, ${rider}]`), riding)).toEqual([
          true,
        ]);
        expect(await allowed(text(`      command-kind: '*'`), riding)).toEqual([true]);
      }
    },
  );

  it.each([...everyCondition, 'command-kind: MoveCall', "command-kind: '*'"])(
    'does not allow a transaction without commands: %s',
    async (condition) => {
      const empty = subject({ sharedInputs, commandKinds: [] });
      expect(await allowed(allowing(`      ${condition}`), empty)).toEqual([false]);
    },
  );

  it('names the command-kind that would cover a command', async () => {
    const rules = await read(allowing(`      ${contentConditions[0]}`));
    const skipped: (string | null)[] = [];
    await decideAccess(rules, withKinds('MoveCall', 'TransferObjects', 'Publish'), {
      known: new Map(),
      caps: [],
      askHook: () => Promise.reject(new Error('no hook')),
      trace: (step) => skipped.push(step.skipped),
    });
    expect(skipped).toEqual([
      'the rule does not cover TransferObjects, Publish; to allow them, write command-kind: [MoveCall, TransferObjects, Publish]',
    ]);
  });
});

describe('object-id', () => {
  it('allows only if every call takes one of the objects', async () => {
    const text = allowing(`      object-id: "${OBJECT}"`);
    const other = call(PACKAGE, 'm', 'g');
    expect(
      await allowed(
        text,
        subject({ sharedInputs, moveCalls: [good, good] }),
        subject({ sharedInputs, moveCalls: [good, other] }),
        subject({ moveCalls: [other] }),
      ),
    ).toEqual([true, false, false]);
  });
});

describe('type-argument', () => {
  const typed = (...types: string[]) => call(PACKAGE, 'm', 'f', types);
  const calling = (...moveCalls: ReturnType<typeof call>[]) => subject({ moveCalls });

  it('must match every call and every vector in a rule that allows', async () => {
    const text = allowing(`      type-argument: [u64, 0x2::coin::Coin]`);
    const vectors = (kinds: string, ...vectorTypes: (string | null)[]) =>
      allowed(
        `${text}\n      command-kind: [MoveCall${kinds}]`,
        subject({
          moveCalls: [typed('u64')],
          vectorTypes,
          commandKinds: ['MoveCall', ...vectorTypes.map(() => 'MakeMoveVec' as const)],
        }),
      );
    expect(
      await allowed(
        text,
        calling(typed('u64'), typed('u64', `${COIN}<u8>`)),
        calling(typed('u64'), typed()),
        calling(typed('u64'), typed('u8')),
        calling(typed(`vector<u64>`)),
      ),
    ).toEqual([true, false, false, false]);
    expect(await vectors('', 'u64')).toEqual([false]);
    expect(await vectors(', MakeMoveVec', 'u64')).toEqual([true]);
    expect(await vectors(', MakeMoveVec', 'u64', 'u8')).toEqual([false]);
    expect(await vectors(', MakeMoveVec', null)).toEqual([false]);
  });

  it.each([
    BAD,
    `vector<${BAD}>`,
    `vector<vector<${BAD}>>`,
    `${COIN}<${BAD}>`,
    `${full('9')}::w::Wrapper<u8,${COIN}<${BAD}>,bool>`,
    `${full('9')}::w::Pair<${COIN}<u8>,${BAD}>`,
    `${BAD}<u8>`,
    Array.from({ length: 20 }).reduce<string>((inner) => `vector<${inner}>`, 'u8'),
  ])('finds nested types in a rule that denies, and denies too deep nesting: %s', async (type) => {
    const text = denying('      type-argument: 0xbad::m::BAD');
    const inVector = subject({ commandKinds: ['MakeMoveVec'], vectorTypes: [type] });
    expect(await allowed(text, calling(typed('u8', type)), inVector)).toEqual([false, false]);
  });

  it.each([
    'u64',
    `${COIN}<u64>`,
    `${full('bad')}::m::BADGE`,
    `${full('bad')}::m::B`,
    'vector<u8>',
  ])('does not match other types in a rule that denies: %s', async (type) => {
    const text = denying('      type-argument: 0xbad::m::BAD');
    const inVector = subject({ commandKinds: ['MakeMoveVec'], vectorTypes: [type, null] });
    expect(await allowed(text, calling(typed(type)), inVector)).toEqual([true, true]);
  });

  it('matches vectors in any notation', async () => {
    const text = denying("      type-argument: 'vector< 0x2::coin::Coin<0xBAD::m::BAD> >'");
    expect(await allowed(text, calling(typed(`vector<${COIN}<${BAD}>>`)))).toEqual([false]);
    expect(await allowed(text, calling(typed(`vector<${COIN}<u8>>`)))).toEqual([true]);
  });
});

describe('gas-price-ratio', () => {
  const priced = (gasPrice: bigint, referenceGasPrice: bigint | null = 1_000n) =>
    subject({ gasPrice }, { referenceGasPrice });

  it.each([
    ["'<=20'", 20_000n, 20_001n],
    ["'<2.5'", 2_499n, 2_500n],
    ["'= 1'", 1_000n, 1_001n],
    ["'>1.000001'", 1_002n, 1_000n],
  ])('compares exactly: %s', async (ratio, fitting, not) => {
    const text = allowing(`      gas-price-ratio: ${ratio}`);
    expect(await allowed(text, priced(fitting), priced(not))).toEqual([true, false]);
  });

  it('decides against a transaction if the reference gas price is unknown', async () => {
    expect(await allowed(allowing("      gas-price-ratio: '>0'"), priced(1n, null))).toEqual([
      false,
    ]);
    expect(await allowed(denying("      gas-price-ratio: '>99'"), priced(1n, null))).toEqual([
      false,
    ]);
  });

  it('lifts the general limit on gas prices if its rule allows', async () => {
    const lifts = async (text: string) =>
      (await decide(await read(text), priced(9_000n))).allowsGasPrice;
    expect(await lifts(allowing("      gas-price-ratio: '<=20'"))).toBe(true);
    expect(await lifts(allowing('      sender-address: "*"'))).toBe(false);
    expect(await lifts(denying("      gas-price-ratio: '>20'"))).toBe(false);
    expect(await lifts(allowing("      gas-price-ratio: '<=2'"))).toBe(false);
  });
});
