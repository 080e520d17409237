import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { Inputs } from '@iota/iota-sdk/transactions';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import fc from 'fast-check';
import type { ArgumentValue } from '../../call-argument.js';
import { readCallArguments } from '../transactions/decoding/decode-transaction.js';
import { aReference, aTransaction, anAddress } from '../transactions/transaction.test-support.js';
import { decodeArguments, decodeValue } from './decode-arguments.js';
import type { DefinedType } from './read-module.js';

const full = normalizeIotaAddress;
const STRING = '0x1::string::String';
const named = (address: string, module: string, name: string, ...typeArguments: DefinedType[]) => ({
  package: full(address),
  module,
  name,
  typeArguments,
});

interface Sample {
  /** As a type argument has it. */
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly value: ArgumentValue;
}

const integers = (
  [
    ['u8', 8, (value) => bcs.u8().serialize(Number(value))],
    ['u16', 16, (value) => bcs.u16().serialize(Number(value))],
    ['u32', 32, (value) => bcs.u32().serialize(Number(value))],
    ['u64', 64, (value) => bcs.u64().serialize(value)],
    ['u128', 128, (value) => bcs.u128().serialize(value)],
    ['u256', 256, (value) => bcs.u256().serialize(value)],
  ] satisfies [string, number, (value: bigint) => { toBytes(): Uint8Array }][]
).map(([type, bits, serialize]) =>
  fc
    .bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
    .map((value): Sample => ({ type, bytes: serialize(value).toBytes(), value })),
);
const leaves = fc.oneof(
  ...integers,
  fc.boolean().map((value): Sample => ({
    type: 'bool',
    bytes: bcs.bool().serialize(value).toBytes(),
    value,
  })),
  fc.string({ unit: 'grapheme' }).map((value): Sample => ({
    type: STRING,
    bytes: bcs.string().serialize(value).toBytes(),
    value,
  })),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): Sample => ({
    type: 'address',
    bytes,
    value: `0x${Buffer.from(bytes).toString('hex')}`,
  })),
);
const samples = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    leaves,
    tie('any').chain((one) =>
      fc.integer({ min: 0, max: 5 }).map((count): Sample => {
        const elements = Array.from({ length: count }, () => one);
        const bytes = Buffer.concat([Uint8Array.of(count), ...elements.map((each) => each.bytes)]);
        return { type: `vector<${one.type}>`, bytes, value: elements.map(({ value }) => value) };
      }),
    ),
    tie('any').chain((one) =>
      fc.boolean().map((isSome): Sample => {
        const bytes = Buffer.concat([
          Uint8Array.of(Number(isSome)),
          ...(isSome ? [one.bytes] : []),
        ]);
        const type = `0x1::option::Option<${one.type}>`;
        return { type, bytes, value: isSome ? one.value : null };
      }),
    ),
  ),
})).any;

const decodeOne = (bytes: Uint8Array, type: DefinedType, ...typeArguments: string[]) =>
  decodeArguments([{ kind: 'pure', bytes }], [type], typeArguments)[0];

describe('decoding the arguments of a call', () => {
  it('reads the value that the SDK has written, of every pure type', () => {
    const property = fc.property(samples, ({ type, bytes, value }) => {
      expect(decodeValue(bytes, type)).toEqual(value);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('reads no value from more, fewer or other bytes than the one encoding', () => {
    const property = fc.property(samples, fc.uint8Array({ minLength: 1 }), (sample, more) => {
      const { type, bytes } = sample;
      expect(decodeValue(Buffer.concat([bytes, more]), type)).toBeUndefined();
      expect(decodeValue(bytes.subarray(0, -1), type)).toBeUndefined();
    });
    fc.assert(property, { numRuns: 300 });
    const others: readonly (readonly [string, number[]])[] = [
      ['bool', [2]],
      ['0x1::option::Option<u8>', [2, 1]],
      // A length in more bytes than it needs.
      ['vector<u8>', [0x80, 0x00]],
      [STRING, [1, 0xff]],
      ['0x1::ascii::String', [2, 0xc3, 0xa9]],
      // An element that says that billions follow.
      ['vector<vector<u8>>', [1, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ];
    for (const [type, bytes] of others) {
      expect([type, decodeValue(Uint8Array.from(bytes), type)]).toEqual([type, undefined]);
    }
  });

  it('reads no value of a struct, a signer, or a type that nests deeply', () => {
    const deep = `${'vector<'.repeat(40)}u8${'>'.repeat(40)}`;
    for (const type of ['0x2::coin::Coin<u8>', 'signer', '0x2::string::String', deep]) {
      expect([type, decodeValue(new Uint8Array(32), type)]).toEqual([type, undefined]);
    }
  });

  it('fills type arguments in, also within others, and leaves a missing one unknown', () => {
    const bytes = Uint8Array.of(1, 7);
    const T: DefinedType = { parameter: 0 };
    const option = named('0x1', 'option', 'Option', T);
    expect(decodeOne(bytes, { vector: T }, 'u8')).toEqual({
      kind: 'pure',
      type: 'vector<u8>',
      value: [7n],
    });
    expect(decodeOne(Uint8Array.of(1, 1, 7), option, 'vector<u8>')).toEqual({
      kind: 'pure',
      type: `${full('0x1')}::option::Option<vector<u8>>`,
      value: [7n],
    });
    for (const missing of [
      decodeOne(bytes, { vector: T }),
      decodeOne(bytes, { parameter: 3 }, 'u8'),
    ]) {
      expect(missing).toEqual({ kind: 'pure', type: null, value: undefined });
    }
  });

  it('ignores the transaction context, and knows no type where the number of arguments differs', () => {
    const raw = { kind: 'pure', bytes: Uint8Array.of(7) } as const;
    const context = named('0x2', 'tx_context', 'TxContext');
    expect(decodeArguments([raw], ['u8', context], [])).toMatchObject([{ value: 7n }]);
    const unknown = { kind: 'pure', type: null, value: undefined };
    expect(decodeArguments([raw], ['u8', 'u8'], [])).toEqual([unknown]);
    expect(decodeArguments([raw, raw], ['u8'], [])).toEqual([unknown, unknown]);
    expect(decodeArguments([raw], null, [])).toEqual([unknown]);
  });

  it('decodes sixteen kilobytes of nested vectors', () => {
    const inner = 5_000;
    const bytes = Buffer.concat([
      bcs
        .vector(bcs.vector(bcs.u8()))
        .serialize(Array.from({ length: inner }, () => [1, 2]))
        .toBytes(),
    ]);
    const value = decodeValue(bytes, 'vector<vector<u8>>') as bigint[][];
    expect([bytes.length > 15_000, value.length, value.at(-1)]).toEqual([true, inner, [1n, 2n]]);
  });
});

describe('reading the arguments of calls from a transaction', () => {
  it('names pure bytes, objects with their use, results and the gas coin', async () => {
    const [owned, received, shared] = [aReference(), aReference(), anAddress()];
    const { bytes } = await aTransaction((tx) => {
      const at = (mutable: boolean, objectId = shared) =>
        tx.object(Inputs.SharedObjectRef({ objectId, initialSharedVersion: 3, mutable }));
      const made = tx.moveCall({
        target: '0x2::m::f',
        arguments: [
          tx.pure.u64(5n),
          tx.object(Inputs.ObjectRef({ ...owned })),
          tx.object(Inputs.ReceivingRef({ ...received })),
          at(true),
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
