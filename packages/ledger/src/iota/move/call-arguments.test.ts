import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { Inputs, type Transaction, type TransactionArgument } from '@iota/iota-sdk/transactions';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import {
  decodeTransaction,
  readCallArguments,
} from '../transactions/decoding/decode-transaction.js';
import { aReference, aTransaction, anAddress } from '../transactions/transaction.test-support.js';
import { CallArguments } from './call-arguments.js';
import { MOST_EFFORT } from './decode-value.js';
import type { DefinedType, Parameter } from './read-module.js';

const full = normalizeIotaAddress;
const SHOP = full('0xdec0de');
const T: DefinedType = { parameter: 0 };
const named = (address: string, module: string, name: string, ...typeArguments: DefinedType[]) => ({
  package: full(address),
  module,
  name,
  typeArguments,
});
const CONTEXT = named('0x2', 'tx_context', 'TxContext');
const TEXT = named('0x1', 'string', 'String');

const given = (type: DefinedType): Parameter => ({ type, isMutable: false });
const lent = (type: DefinedType): Parameter => ({ type, isMutable: true });

interface Call {
  readonly name: string;
  readonly args: readonly TransactionArgument[];
  readonly typeArguments?: string[];
}

/** The arguments of calls of the shop, whose functions have these parameters. */
async function read(
  signatures: Readonly<Record<string, readonly Parameter[]>>,
  fill: (tx: Transaction) => readonly Call[],
): Promise<CallArguments> {
  const { bytes } = await aTransaction((tx) => {
    for (const { name, args, typeArguments = [] } of fill(tx)) {
      tx.moveCall({ target: `${SHOP}::shop::${name}`, arguments: [...args], typeArguments });
    }
  });
  const read = new CallArguments(decodeTransaction(bytes));
  for (const [name, parameters] of Object.entries(signatures)) {
    read.learn(`${SHOP}::shop::${name}`, parameters);
  }
  return read;
}

const readOne = async (parameters: readonly Parameter[], bytes: number[][], ...types: string[]) => {
  const calls = await read({ f: parameters }, (tx) => [
    { name: 'f', args: bytes.map((one) => tx.pure(Uint8Array.from(one))), typeArguments: types },
  ]);
  return calls.of(0);
};
/** Of a function that is known. */
const UNTYPED = { kind: 'pure', isLent: false, type: null, value: undefined };
const UNKNOWN = { kind: 'pure', isLent: true, type: null, value: undefined };

describe('the arguments of a call', () => {
  it('have their type arguments, also within others, and none where one is missing', async () => {
    const option = named('0x1', 'option', 'Option', T);
    expect(await readOne([given({ vector: T })], [[1, 7]], 'u16')).toEqual([
      { kind: 'pure', isLent: false, type: 'vector<u16>', value: undefined },
    ]);
    expect(await readOne([given(option)], [[1, 1, 7]], 'vector<u8>')).toEqual([
      {
        kind: 'pure',
        isLent: false,
        type: `${full('0x1')}::option::Option<vector<u8>>`,
        value: Buffer.from([7]),
      },
    ]);
    expect(await readOne([given({ vector: T })], [[1, 7]])).toEqual([UNTYPED]);
    expect(await readOne([given({ parameter: 3 })], [[7]], 'u8')).toEqual([UNTYPED]);
  });

  it('leave the transaction context out, and are unknown where their number differs', async () => {
    expect(await readOne([given('u8'), lent(CONTEXT)], [[7]])).toMatchObject([{ value: 7n }]);
    expect(await readOne([given('u8'), given('u8')], [[7]])).toEqual([UNKNOWN]);
    expect(await readOne([given('u8')], [[7], [7]])).toEqual([UNKNOWN, UNKNOWN]);
  });

  it('have the types of deeply nested type arguments unknown', async () => {
    const deep = `${'vector<'.repeat(40)}u8${'>'.repeat(40)}`;
    expect(await readOne([given(T)], [[7]], deep)).toEqual([UNTYPED]);
    expect(await readOne([given(T), given('u8')], [[7], [8]], deep)).toMatchObject([
      UNTYPED,
      { value: 8n },
    ]);
  });
});

describe('an input that an earlier command may have changed', () => {
  const signatures = {
    buy: [given('u64')],
    look: [given('u64')],
    set: [lent('u64'), given('u64')],
    extend: [lent({ vector: 'address' }), given('address')],
    pay: [given({ vector: 'address' })],
    rename: [lent(TEXT)],
    name: [given(TEXT)],
  };
  const values = (calls: CallArguments, ...indexes: number[]) =>
    indexes.map((call) => {
      const [first] = calls.of(call);
      return first?.kind === 'pure' ? first.value : first;
    });

  it('has no value in later commands, and its stated one in earlier commands and in the one that changes it', async () => {
    const calls = await read(signatures, (tx) => {
      const price = tx.pure.u64(5n);
      const other = tx.pure.u64(5n);
      return [
        { name: 'buy', args: [price] },
        { name: 'set', args: [price, tx.pure.u64(10n ** 12n)] },
        { name: 'buy', args: [price] },
        { name: 'buy', args: [other] },
      ];
    });
    expect(values(calls, 0, 1, 2, 3)).toEqual([5n, 5n, undefined, 5n]);
  });

  it.each<[string, (tx: Transaction) => TransactionArgument, string, string]>([
    ['a vector', (tx) => tx.pure.vector('address', []), 'extend', 'pay'],
    ['a text', (tx) => tx.pure.string('x'), 'rename', 'name'],
    ['a number, by a function that is not known', (tx) => tx.pure.u64(5n), 'evil', 'buy'],
  ])('has no value: %s', async (_, make, changer, user) => {
    const calls = await read(signatures, (tx) => {
      const input = make(tx);
      const more = changer === 'extend' ? [tx.pure.address('0xbad')] : [];
      return [
        { name: changer, args: [input, ...more] },
        { name: user, args: [input] },
      ];
    });
    expect(values(calls, 1)).toEqual([undefined]);
    expect(calls.of(1)[0]?.type).not.toBeNull();
  });

  it('keeps its value where commands only look at it, or copy it', async () => {
    const calls = await read(signatures, (tx) => {
      const price = tx.pure.u64(5n);
      tx.splitCoins(tx.gas, [price]);
      tx.makeMoveVec({ type: 'u64', elements: [price] });
      return [
        { name: 'look', args: [price] },
        { name: 'buy', args: [price] },
      ];
    });
    expect(values(calls, 1)).toEqual([5n]);
  });

  it('is found by the signatures of the functions that take it earlier, and of no others', async () => {
    const calls = await read({}, (tx) => {
      const price = tx.pure.u64(5n);
      return [
        { name: 'look', args: [price] },
        { name: 'unrelated', args: [tx.pure.u64(5n)] },
        { name: 'buy', args: [price] },
        { name: 'later', args: [price] },
      ];
    });
    const functions = calls.functionsFor((call) => call.function === 'buy');
    expect([...functions.values()].map((call) => call.function)).toEqual(['buy', 'look']);
  });
});

describe('the work of decoding a transaction', () => {
  const bytes = new Uint8Array(16_000).fill(1);
  const CALLS = 1_000;
  const callMany = (input: TransactionArgument) =>
    Array.from({ length: CALLS }, () => ({ name: 'f', args: [input] }));
  const valuesOf = (calls: CallArguments, count = CALLS) =>
    Array.from({ length: count }, (_, index) => {
      const [first] = calls.of(index);
      return first?.kind === 'pure' ? first.value : undefined;
    });

  it.each<[string, DefinedType, (tx: Transaction) => TransactionArgument, number]>([
    ['bytes', { vector: 'u8' }, (tx) => tx.pure.vector('u8', bytes), 20_000],
    ['a text', TEXT, (tx) => tx.pure.string('x'.repeat(16_000)), 20_000],
    [
      'booleans',
      { vector: 'bool' },
      (tx) => tx.pure.vector('bool', Array<boolean>(16_000).fill(true)),
      70_000,
    ],
  ])('is done once for an input that a thousand calls take: %s', async (_, type, make, most) => {
    const calls = await read({ f: [given(type)] }, (tx) => callMany(make(tx)));
    const [first, ...others] = valuesOf(calls);
    expect(first).toHaveLength(16_000);
    expect(others.every((value) => value === first)).toBe(true);
    // A unit for each byte or character, four for each element, and what a thousand types take.
    expect(calls.effort).toBeLessThan(most + CALLS * 10);
  });

  it('is not begun until a value is asked for', async () => {
    const calls = await read({ f: [given({ vector: 'u8' })] }, (tx) =>
      callMany(tx.pure.vector('u8', bytes)),
    );
    for (let index = 0; index < CALLS; index++) calls.of(index);
    expect(calls.effort).toBe(0);
  });

  it('is bounded where many types fit one input', async () => {
    const outer = ['vector<', '0x1::option::Option<'];
    const typed = Array.from({ length: 256 }, (_, index) => {
      const levels = Array.from({ length: 8 }, (_, bit) => outer[(index >> bit) & 1]!);
      return `${levels.join('')}0x1::string::String${'>'.repeat(8)}`;
    });
    const length = 8_000;
    const input = [
      ...Array<number>(8).fill(1),
      ...bcs.string().serialize('x'.repeat(length)).toBytes(),
    ];
    const calls = await read({ f: [given(T)] }, (tx) => {
      const one = tx.pure(Uint8Array.from(input));
      return typed.map((type) => ({ name: 'f', args: [one], typeArguments: [type] }));
    });
    const found = valuesOf(calls, typed.length).filter((value) => value !== undefined);
    expect(found.length).toBeGreaterThan(20);
    expect(found.length * length).toBeLessThan(MOST_EFFORT);
    expect(calls.effort).toBe(MOST_EFFORT);
  });

  it('is bounded where each of many parameters repeats a long type argument', async () => {
    const long = `0xa::${'m'.repeat(128)}::${'s'.repeat(128)}`;
    const argument = `0xa::m::S<${Array(12).fill(long).join()}>`;
    const wide = named('0xb', 'm', 'Wide', ...Array<DefinedType>(100).fill(T));
    const parameters = Array.from({ length: 128 }, () => given(wide));
    const calls = await read({ f: parameters }, (tx) =>
      Array.from({ length: 8 }, () => ({
        name: 'f',
        args: Array.from({ length: 128 }, () => tx.pure.u8(1)),
        typeArguments: [argument],
      })),
    );
    const types = Array.from({ length: 8 }, (_, index) =>
      calls.of(index).map(({ type }) => type),
    ).flat();
    // 400 kB each: they are found out to be too long before they are written.
    expect(new Set(types)).toEqual(new Set([null]));
    expect(calls.effort).toBeLessThan(20_000);
  });
});

describe('reading the arguments of calls from a transaction', () => {
  it('names pure bytes, objects with their use, results and the gas coin', async () => {
    const [owned, received, shared] = [aReference(), aReference(), anAddress()];
    const { bytes } = await aTransaction((tx) => {
      const sharedObject = (mutable: boolean, objectId = shared) =>
        tx.object(Inputs.SharedObjectRef({ objectId, initialSharedVersion: 3, mutable }));
      const made = tx.moveCall({
        target: '0x2::m::f',
        arguments: [
          tx.pure.u64(5n),
          tx.object(Inputs.ObjectRef({ ...owned })),
          tx.object(Inputs.ReceivingRef({ ...received })),
          sharedObject(true),
          tx.gas,
        ],
      });
      tx.moveCall({ target: '0x2::m::g', arguments: [made, made[1]!] });
    });
    const command = expect.any(Number) as unknown as number;
    expect(readCallArguments(bytes).slice(-2)).toEqual([
      [
        { kind: 'pure', bytes: Buffer.from(bcs.u64().serialize(5n).toBytes()) },
        { kind: 'object', objectId: owned.objectId, use: 'owned' },
        { kind: 'object', objectId: received.objectId, use: 'received' },
        { kind: 'object', objectId: shared, use: 'shared-mutable' },
        { kind: 'gas' },
      ],
      [
        { kind: 'result', command, index: 0 },
        { kind: 'result', command, index: 1 },
      ],
    ]);
  });
});
