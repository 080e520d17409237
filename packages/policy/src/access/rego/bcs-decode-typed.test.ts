import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { allowed, call, file, subject } from '../access-rules.test-support.js';

const pathOf = (name: string) => fileURLToPath(new URL(`./testing/${name}`, import.meta.url));
const SHOP = `0x${'dec'.padStart(64, '0')}`;
const ADDRESS = '0x32699386a39f53191c4d262157d8520ca4c83fa530dd11cb9e80315aa40af77c';
const U64_MAX = 2n ** 64n - 1n;

const rule = (path: string, action = 'allow', policy = 'deny-all') =>
  file(
    policy,
    `    - rego-expression: { location-type: file, path: ${pathOf('iota-policies.wasm')}, rego-rule-path: data.matchers.${path} }\n      action: ${action}`,
  );

/** A call of `shop::buy` with pure inputs of these bytes, in the JSON of the ledger's tools. */
function buying(...inputs: readonly Uint8Array[]) {
  const buy = {
    package: SHOP,
    module: 'shop',
    function: 'buy',
    type_arguments: [],
    arguments: inputs.map((_, Input) => ({ Input })),
  };
  const program = {
    inputs: inputs.map((bytes) => ({ Pure: [...bytes] })),
    commands: [{ MoveCall: buy }],
  };
  const transactionJson = () => ({ V1: { kind: { ProgrammableTransaction: program } } });
  return subject({ moveCalls: [call(SHOP, 'shop', 'buy')] }, { transactionJson });
}

const SAMPLES: readonly (readonly [string, Uint8Array])[] = (
  [
    ['string', bcs.string().serialize('hello')],
    ['u8', bcs.u8().serialize(255)],
    ['u16', bcs.u16().serialize(65_535)],
    ['u32', bcs.u32().serialize(4_294_967_295)],
    ['u64', bcs.u64().serialize(U64_MAX)],
    ['bool', bcs.bool().serialize(true)],
    ['address', bcs.Address.serialize(ADDRESS)],
    ['vector_string', bcs.vector(bcs.string()).serialize(['hello', 'world'])],
    ['vector_u8', bcs.vector(bcs.u8()).serialize([255, 0])],
    ['vector_u16', bcs.vector(bcs.u16()).serialize([65_535, 0])],
    ['vector_u32', bcs.vector(bcs.u32()).serialize([4_294_967_295, 0])],
    ['vector_u64', bcs.vector(bcs.u64()).serialize([U64_MAX, 0n])],
    ['vector_bool', bcs.vector(bcs.bool()).serialize([true, false])],
    ['vector_address', bcs.vector(bcs.Address).serialize([ADDRESS, ADDRESS])],
  ] as const
).map(([type, written]) => [type, written.toBytes()]);

describe('a Rego policy of IOTA’s gas station', () => {
  it.each(SAMPLES)('decodes a %s exactly, and does not allow other bytes', async (type, bytes) => {
    const others = [bytes.subarray(0, -1), Buffer.concat([bytes, Uint8Array.of(0)])];
    const subjects = [bytes, ...others].map((one) => buying(one));
    expect(await allowed(rule(`is_${type}`), ...subjects)).toEqual([true, false, false]);
  });

  it('compares an argument with a limit', async () => {
    const amounts = [0n, 1_000n, 1_001n, U64_MAX].map((amount) =>
      buying(bcs.u64().serialize(amount).toBytes()),
    );
    expect(await allowed(rule('buys_little'), ...amounts)).toEqual([true, true, false, false]);
  });

  it.each<[string, boolean | null, unknown, boolean]>([
    ['a call that lends it, and a call', true, { MoveCall: { arguments: [{ Input: 0 }] } }, false],
    ['an unknown function, and a split', null, { SplitCoins: ['GasCoin', [{ Input: 0 }]] }, false],
    ['a call that lends it, and a transfer', true, { TransferObjects: [[], { Input: 0 }] }, false],
    [
      'a call that looks at it, and a call',
      false,
      { MoveCall: { arguments: [{ Input: 0 }] } },
      true,
    ],
    ['a call that lends it, and no other', true, { SplitCoins: ['GasCoin', [{ Input: 1 }]] }, true],
  ])('is not asked about an input that may change: %s', async (_, isMutable, next, isAllowed) => {
    const Pure = [...bcs.u64().serialize(U64_MAX).toBytes()];
    const lend = { MoveCall: { arguments: [{ Input: 0 }] } };
    const program = { inputs: [{ Pure }, { Pure: [1] }], commands: [lend, next] };
    const argument = { kind: 'pure', isLent: isMutable ?? true, type: 'u64', value: 5n } as const;
    const question = {
      ...buying(),
      transactionJson: () => ({ V1: { kind: { ProgrammableTransaction: program } } }),
      readArguments: () => Promise.resolve(() => [argument]),
    };
    const rego = (action: string, policy: string) => rule('is_u64', action, policy);
    expect(await allowed(rego('allow', 'deny-all'), question)).toEqual([isAllowed]);
    if (!isAllowed) expect(await allowed(rego('deny', 'allow-all'), question)).toEqual([false]);
  });

  it('names the function that may be called, and no second command', async () => {
    const other = subject({}, { transactionJson: () => ({ V1: {} }) });
    expect(await allowed(rule('only_buys'), buying(), other)).toEqual([true, false]);
  });

  it('decides against the transaction for a type that the function does not know', async () => {
    const one = buying(bcs.u128().serialize(1n).toBytes());
    expect(await allowed(rule('is_other_type'), one)).toEqual([false]);
    expect(await allowed(rule('is_other_type', 'deny', 'allow-all'), one)).toEqual([false]);
  });

  it('is named as source in the error for a file that is not compiled', async () => {
    const source = rule('only_buys').replace('.wasm', '.rego');
    expect(readFileSync(pathOf('iota-policies.rego'), 'utf8')).toContain('package matchers');
    await expect(allowed(source)).rejects.toThrow(
      /access compile policy\.rego --rule data\.matchers\.only_buys/,
    );
  });
});
