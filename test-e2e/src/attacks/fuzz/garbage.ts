import fc from 'fast-check';

/** Numbers in JSON syntax, including those that no JavaScript number holds. */
export const numberText = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '-1',
    '1.5',
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '1E3',
    '0.1e1',
    '9223372036854775807',
    '18446744073709551616',
    '123456789012345678901234567890',
  ),
  fc.double({ noNaN: true }).map((value) => (Number.isFinite(value) ? String(value) : '1e999')),
  fc.bigInt({ min: -(2n ** 128n), max: -1n }).map(String),
);

export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e',
    'null',
    '__proto__',
    'constructor',
    'toString',
    '0x',
    '%s',
    '\r\nx: y',
    "'; --",
    '${7*7}',
    '../../../etc/passwd',
    'a'.repeat(5_000),
    '😀'.repeat(300),
  ),
);

/** Deeply nested JSON as text, because a nested value would overflow the test itself. */
const nest = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"And":[', ']}'], ['{"__proto__":', '}']),
    fc.constantFrom(5, 40, 1_000, 20_000),
  )
  .map(([[open, close], depth]) => open.repeat(depth) + '1' + close.repeat(depth));

/** Any JSON, as text. */
export const jsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 4, noUnicodeString: false }) },
  { weight: 2, arbitrary: numberText },
  { weight: 2, arbitrary: text.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: nest },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', '{}', '[]', '[[]]', '""') },
);

const NOT_DIGITS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\0',
  '\ud800',
  'x',
  '-',
  'e',
  ' ',
  '\ufeff',
];

/** A text with a few damaged places; no digit is added, so that no number grows. */
export function damaged(whole: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({
    position: fc.nat(),
    remove: fc.nat(3),
    put: fc.constantFrom('', ...NOT_DIGITS),
  });
  return fc.tuple(whole, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([intact, edits]) =>
    edits.reduce((result, { position, remove, put }) => {
      const place = position % (result.length + 1);
      return result.slice(0, place) + put + result.slice(place + remove);
    }, intact),
  );
}

/**
 * The text of an object whose fields are valid or garbage, in any order, with missing, duplicate and
 * additional fields.
 */
export function spoiledObject(fields: Readonly<Record<string, fc.Arbitrary<string>>>) {
  const named = Object.entries(fields).map(([name, good]) =>
    fc
      .oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: jsonText })
      .map((value) => `${JSON.stringify(name)}:${value}`),
  );
  const stray = fc.tuple(text, jsonText).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return fc
    .tuple(
      fc.shuffledSubarray(named.map((_, index) => index)),
      fc.tuple(...named),
      fc.array(stray, { maxLength: 2 }),
      fc.boolean(),
    )
    .map(([order, values, strays, twice]) => {
      const members = [...order.map((index) => values[index]!), ...strays];
      return `{${[...members, ...(twice ? members.slice(0, 1) : [])].join(',')}}`;
    });
}

/** Bytes that are flipped, cut, duplicated or padded. */
export function damagedBytes(whole: () => Uint8Array): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({
    kind: fc.constantFrom('flip', 'set', 'cut', 'insert', 'repeat'),
    position: fc.nat(),
    byte: fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xfe, 0xff),
    length: fc.nat(40),
  });
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) =>
    edits.reduce<Uint8Array>((bytes, { kind, position, byte, length }) => {
      const place = bytes.length === 0 ? 0 : position % bytes.length;
      const [before, after] = [bytes.slice(0, place), bytes.slice(place)];
      switch (kind) {
        case 'flip':
          return Uint8Array.from(bytes, (one, index) => (index === place ? one ^ byte : one));
        case 'set':
          return Uint8Array.from(bytes, (one, index) => (index === place ? byte : one));
        case 'cut':
          return Buffer.concat([before, after.slice(length)]);
        case 'insert':
          return Buffer.concat([before, Buffer.alloc(length, byte), after]);
        default:
          return Buffer.concat([before, after.slice(0, length), after]);
      }
    }, whole()),
  );
}
