import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import fc from 'fast-check';
import type { ArgumentValue } from '../../call-argument.js';
import { decodeValue } from './decode-value.js';

const STRING = '0x1::string::String';
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
        const value = elements.map(({ value: each }) => each);
        const isBytes = one.type === 'u8';
        const expectedValue = isBytes ? Buffer.concat(elements.map((each) => each.bytes)) : value;
        return { type: `vector<${one.type}>`, bytes, value: expectedValue };
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

describe('decoding a pure value', () => {
  it('reads the value that the SDK has written, of every pure type', () => {
    const property = fc.property(samples, ({ type, bytes, value }) => {
      expect(decodeValue(bytes, type)).toEqual(value);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('does not read a value from more, fewer or other bytes than the one encoding', () => {
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

  it('does not read a value of a struct, a signer, or a type that nests deeply', () => {
    const deep = `${'vector<'.repeat(40)}u8${'>'.repeat(40)}`;
    for (const type of ['0x2::coin::Coin<u8>', 'signer', '0x2::string::String', deep]) {
      expect([type, decodeValue(new Uint8Array(32), type)]).toEqual([type, undefined]);
    }
  });

  it('decodes sixteen kilobytes of nested vectors', () => {
    const inner = 5_000;
    const bytes = bcs
      .vector(bcs.vector(bcs.u8()))
      .serialize(Array.from({ length: inner }, () => [1, 2]))
      .toBytes();
    const value = decodeValue(bytes, 'vector<vector<u8>>') as Uint8Array[];
    expect([bytes.length > 15_000, value.length, value.at(-1)]).toEqual([
      true,
      inner,
      Buffer.from([1, 2]),
    ]);
  });

  it('leaves more values undecoded than a node accepts in one input', () => {
    const [few, many] = [16_000, 100_000].map((count) => [
      count,
      bcs
        .vector(bcs.bool())
        .serialize(Array.from({ length: count }, () => true))
        .toBytes(),
    ]) as [[number, Uint8Array], [number, Uint8Array]];
    expect(decodeValue(few[1], 'vector<bool>')).toHaveLength(few[0]);
    expect(decodeValue(many[1], 'vector<bool>')).toBeUndefined();
    expect(decodeValue(many[1], 'vector<u8>')).toHaveLength(many[0]);
  });
});
