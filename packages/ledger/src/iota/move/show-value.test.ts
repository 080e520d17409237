import { describe, expect, it } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import { MoveTooLarge } from './move-too-large.js';
import { UnreadableMove } from './unreadable-move.js';
import { MoveLayouts } from './move-layouts.js';
import { datatype, vectorOf } from './value-type.js';
import { packageObject, packagesOf } from './package-object.test-support.js';
import { showValue } from './show-value.js';

const PACKAGE = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'0'.repeat(63)}7`;
const PLENTY = { left: 1e9 };

/** A value in a field `f` of a struct `m::S`, beside these other types. */
async function show(type: string, bytes: Uint8Array): Promise<unknown> {
  const typed = packageObject({
    id: PACKAGE,
    modules: [
      {
        name: 'm',
        types: [
          { name: 'S', fields: [['f', type]] },
          {
            name: 'Pair',
            fields: [
              ['z', 'u8'],
              ['a', '0x1::string::String'],
            ],
          },
          { name: 'Empty', fields: [['dummy_field', 'bool']] },
          { name: 'Proto', fields: [['__proto__', 'u8']] },
          {
            name: 'Shape',
            variants: [
              ['Dot', []],
              ['Box', [['side', `${PACKAGE}::m::Pair`]]],
            ],
          },
        ],
      },
    ],
  });
  const layouts = new MoveLayouts(packagesOf(typed));
  const layout = await layouts.of(datatype({ package: PACKAGE, module: 'm', name: 'S' }, []));
  return (showValue(bytes, layout!, { ...PLENTY }) as { f: unknown }).f;
}

const M = `${PACKAGE}::m`;
const text = (value: string) => bcs.string().serialize(value).toBytes();
const bytesOf = (...parts: (number | Uint8Array)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part])));
const address = bcs.Address.serialize(ADDRESS).toBytes();
const PAIR = bytesOf(5, text('é'));
const TYPED_PAIR = { type: `${M}::Pair`, fields: { a: 'é', z: 5 } };
const SOME = 1;
const NONE = 0;

describe('a value is shown as by JSON-RPC', () => {
  it.each<[string, Uint8Array, unknown]>([
    ['u8', bytesOf(255), 255],
    ['u16', bytesOf(255, 255), 65_535],
    ['u32', bytesOf(255, 255, 255, 255), 4_294_967_295],
    ['u64', bcs.u64().serialize(7).toBytes(), '7'],
    [
      'u128',
      bcs
        .u128()
        .serialize(2n ** 127n)
        .toBytes(),
      String(2n ** 127n),
    ],
    [
      'u256',
      bcs
        .u256()
        .serialize(2n ** 255n)
        .toBytes(),
      String(2n ** 255n),
    ],
    ['bool', bytesOf(1), true],
    ['address', address, ADDRESS],
    ['vector<u8>', bytesOf(2, 0, 255), [0, 255]],
    ['vector<vector<u64>>', bytesOf(1, 1, bcs.u64().serialize(3).toBytes()), [['3']]],
    ['0x1::string::String', text('\u{feff}naïve'), '\u{feff}naïve'],
    ['0x1::ascii::String', text('ascii'), 'ascii'],
    ['0x1::string::String', bytesOf(2, 0xc3, 0x28), { bytes: [0xc3, 0x28] }],
    ['0x2::url::Url', text('https://x'), 'https://x'],
    ['0x2::object::ID', address, ADDRESS],
    ['0x2::object::UID', address, { id: ADDRESS }],
    ['0x2::balance::Balance<0x2::iota::IOTA>', bcs.u64().serialize(9).toBytes(), '9'],
    [`${M}::Pair`, PAIR, { a: 'é', z: 5 }],
    [`${M}::Empty`, bytesOf(0), { dummy_field: false }],
    [`${M}::Shape`, bytesOf(0), { variant: 'Dot', fields: {} }],
    [`${M}::Shape`, bytesOf(1, PAIR), { variant: 'Box', fields: { side: { a: 'é', z: 5 } } }],
    ['0x1::option::Option<u64>', bytesOf(NONE), null],
    ['0x1::option::Option<vector<u8>>', bytesOf(SOME, 1, 7), [7]],
    [`0x1::option::Option<${M}::Pair>`, bytesOf(SOME, PAIR), TYPED_PAIR],
    [`0x1::option::Option<vector<${M}::Pair>>`, bytesOf(SOME, 1, PAIR), [TYPED_PAIR]],
    [`0x1::option::Option<0x1::option::Option<${M}::Pair>>`, bytesOf(SOME, SOME, PAIR), TYPED_PAIR],
    [
      `0x1::option::Option<${M}::Shape>`,
      bytesOf(SOME, 1, PAIR),
      { type: `${M}::Shape`, variant: 'Box', fields: { side: TYPED_PAIR } },
    ],
    ['0x1::option::Option<0x2::object::UID>', bytesOf(SOME, address), { id: ADDRESS }],
    [
      '0x1::option::Option<0x1::ascii::String>',
      bytesOf(SOME, 1, 0xff),
      { type: '0x1::ascii::String', fields: { bytes: [0xff] } },
    ],
  ])('%s %#', async (type, bytes, expected) => {
    expect(await show(type, bytes)).toEqual(expected);
  });

  it('with fields of any name, which change no prototype', async () => {
    const value = (await show(`${M}::Proto`, bytesOf(7))) as object;
    expect(JSON.stringify(value)).toBe('{"__proto__":7}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('showValue throws its error', () => {
  it.each([
    ['bytes are left over', 'u8', bytesOf(1, 2)],
    ['bytes are missing', 'u64', bytesOf(1)],
    ['a boolean is neither 0 nor 1', 'bool', bytesOf(2)],
    ['an Option has two elements', '0x1::option::Option<u8>', bytesOf(2, 1, 1)],
    ['a variant does not exist', `${M}::Shape`, bytesOf(2)],
    ['a length exceeds the bytes', 'vector<u64>', bytesOf(0xff, 0xff, 0xff, 0xff, 0x0f)],
  ])('if %s', async (_name, type, bytes) => {
    await expect(show(type, bytes)).rejects.toThrow(UnreadableMove);
  });

  it('where nodes find the names and types of a value too large, to the byte', async () => {
    const pair = datatype({ package: PACKAGE, module: 'mod', name: 'Pair' }, [
      'u8',
      vectorOf('u8'),
    ]);
    const types = [{ name: 'Pair', typeParameters: 2, fields: [['field', 'T0'] as const] }];
    const bytecode = packageObject({ id: PACKAGE, modules: [{ name: 'mod', types }] });
    const layout = await new MoveLayouts(packagesOf(bytecode)).of(pair);
    // A struct counts 8 bytes, its address 32, its names, and its type arguments 8 for each part.
    const cost = 8 + 32 + 'mod'.length + 'Pair'.length + 8 + 8 + 8 + 'field'.length;
    const two = { kind: 'vector', of: layout! } as const;
    expect(showValue(bytesOf(2, 1, 1), two, { left: 2 * cost })).toHaveLength(2);
    const tooFew = { left: 2 * cost - 1 };
    expect(() => showValue(bytesOf(2, 1, 1), two, tooFew)).toThrow(MoveTooLarge);
  });
});
