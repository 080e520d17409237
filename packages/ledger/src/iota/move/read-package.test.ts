import { describe, expect, it } from '@jest/globals';
import { compileModule, type DeclaredType } from '../../move-bytecode/index.js';
import { readGrpcRecording } from '../../recorded-node/index.js';
import { fromBinary } from '@bufbuild/protobuf';
import { GetTransactionsResponseSchema } from '../../node-messages/index.js';
import fc from 'fast-check';
import { MoveLayouts } from './move-layouts.js';
import { PackageMissing } from './package-missing.js';
import { UnreadableMove } from './unreadable-move.js';
import { WithPublished } from './with-published.js';
import { datatype } from './value-type.js';
import { packagesOf, SYSTEM_PACKAGE } from './package-object.test-support.js';
import { type DefinedType, readModule } from './read-module.js';
import { isPackage, type MovePackage, readPackage } from './read-package.js';

const RUNS = Number(process.env['FORECOURT_FUZZ_SCALE'] ?? 1) * 300;
const STD = `0x${'1'.padStart(64, '0')}`;
const FIRST = '0x685aeb0541a69c1a112ff2a91583bc38d5301b0ffcefc3df9b878593e922a7b1';

/** The packages that a recorded transaction has published, as objects. */
function published(name: string): Uint8Array {
  const { responses } = readGrpcRecording().find((call) => call.name === name)!;
  const bytes = Buffer.from(responses[0]!, 'base64');
  const [{ result } = { result: null }] = fromBinary(
    GetTransactionsResponseSchema,
    bytes,
  ).transactionResults;
  if (result?.case !== 'executedTransaction') throw new Error(`${name} has no transaction`);
  return result.value.outputObjects!.objects.map(({ bcs }) => bcs!.data).find(isPackage)!;
}

const RECORDED = published('transaction/publish');
const UPGRADED = published('transaction/upgrade');

/** A type in the text of `compileModule`. */
function textOf(type: DefinedType): string {
  if (typeof type === 'string') return type;
  if ('vector' in type) return `vector<${textOf(type.vector)}>`;
  if ('parameter' in type) return `T${type.parameter}`;
  const { package: id, module, name, typeArguments } = type;
  const named = `${id}::${module}::${name}`;
  return typeArguments.length === 0 ? named : `${named}<${typeArguments.map(textOf).join(',')}>`;
}

function fieldsOf(read: MovePackage, type: string): string[] {
  return read.definitions.get(type)!.fields.map(({ name, type }) => `${name}: ${textOf(type)}`);
}

describe('a package of a real node', () => {
  it('declares the structs and enums of its source', () => {
    const read = readPackage(RECORDED);
    expect(read).toMatchObject({ id: FIRST, firstId: FIRST });
    expect(fieldsOf(read, 'main::Generic')).toEqual(['value: T1']);
    expect(fieldsOf(read, 'main::Wide').slice(8, 16)).toEqual([
      expect.stringMatching(/^i: 0x0{63}2::object::ID$/),
      expect.stringMatching(/^j: 0x0{63}1::string::String$/),
      expect.stringMatching(/^k: 0x0{63}1::ascii::String$/),
      expect.stringMatching(/^l: 0x0{63}2::url::Url$/),
      'm: vector<u8>',
      'n: vector<u64>',
      `o: ${STD}::option::Option<u64>`,
      `p: ${STD}::option::Option<u64>`,
    ]);
    const shape = read.definitions.get('main::Shape')!;
    expect(shape.variants!.map(({ name, fields }) => [name, fields])).toEqual([
      ['Dot', []],
      ['Circle', [{ name: 'r', type: 'u64' }]],
    ]);
  });

  it('names the version that has introduced each type, after an upgrade', () => {
    const read = readPackage(UPGRADED);
    expect(read.id).not.toBe(FIRST);
    expect(read.firstId).toBe(FIRST);
    expect(read.origins.get('main::Made')).toBe(FIRST);
    expect(read.definitions.size).toBeGreaterThanOrEqual(readPackage(RECORDED).definitions.size);
  });
});

const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,8}$/);
const type = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('bool', 'u8', 'u16', 'u32', 'u64', 'u128', 'u256', 'address', 'T0', 'T200'),
    tie('type').map((inner) => `vector<${inner}>`),
    fc.tuple(name, name, fc.array(tie('type'), { maxLength: 3 })).map(([module, struct, inner]) => {
      const named = `${STD}::${module}::${struct}`;
      return inner.length === 0 ? named : `${named}<${inner.join(',')}>`;
    }),
  ),
})).type;
const fields = fc.array(fc.tuple(name, type), { maxLength: 5 });
const declared: fc.Arbitrary<DeclaredType> = fc.oneof(
  fc.record({ name, typeParameters: fc.nat(3), fields }),
  fc.record({ name, variants: fc.array(fc.tuple(name, fields), { minLength: 1, maxLength: 3 }) }),
);
const types = fc.uniqueArray(declared, { selector: (one) => one.name, maxLength: 6 });

/** The same bytes with some of them changed, and perhaps cut off. */
const damaged = (bytes: Uint8Array) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat(bytes.length)),
    )
    .map(([changes, length]) => {
      const copy = Uint8Array.from(bytes);
      for (const [index, value] of changes) copy[index] = value;
      return copy.subarray(0, length ?? copy.length);
    });

describe('readModule', () => {
  it('reads what any module declares', () => {
    const property = fc.property(name, types, (module, declarations) => {
      const read = readModule(compileModule({ package: STD, name: module, types: declarations }));
      expect([read.package, read.name]).toEqual([STD, module]);
      const show = (all: readonly { name: string; type: DefinedType }[]) =>
        all.map((one) => [one.name, textOf(one.type)]);
      const declaredTypes = [...read.definitions].map(([type, definition]) => ({
        name: type,
        typeParameters: definition.typeParameters,
        fields: show(definition.fields),
        variants: definition.variants?.map((one) => [one.name, show(one.fields)]),
      }));
      const sorted = (all: readonly DeclaredType[]) =>
        all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
      expect(sorted(declaredTypes as unknown as DeclaredType[])).toEqual(
        sorted(declarations).map((one) => ({
          name: one.name,
          typeParameters: one.typeParameters ?? 0,
          fields: one.fields ?? [],
          variants: one.variants,
        })),
      );
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it('throws its error for a type that nests without end', () => {
    const nested = (depth: number) =>
      compileModule({
        package: STD,
        name: 'deep',
        types: [{ name: 'S', fields: [['f', `${'vector<'.repeat(depth)}u8${'>'.repeat(depth)}`]] }],
      });
    expect(() => readModule(nested(200))).not.toThrow();
    expect(() => readModule(nested(400))).toThrow(UnreadableMove);
  });

  it('throws its error for any other bytes', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => readModule(bytes)).toThrow(UnreadableMove);
    });
    fc.assert(property, { numRuns: RUNS });
  });
});

describe('readPackage', () => {
  it.each([
    ['a real package', RECORDED],
    ['a compiled one', SYSTEM_PACKAGE],
  ])('returns, or throws its error, for %s that is damaged', async (_name, bytes) => {
    const property = fc.asyncProperty(damaged(bytes), async (changed) => {
      let read: MovePackage;
      try {
        read = readPackage(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableMove);
        return;
      }
      const layouts = new MoveLayouts(new WithPublished([read], packagesOf()));
      for (const [key, { typeParameters }] of read.definitions) {
        const [module, name] = key.split('::') as [string, string];
        const typeArguments = Array.from({ length: typeParameters }, () => 'u8' as const);
        const found = layouts.of(datatype({ package: read.id, module, name }, typeArguments));
        await found.catch((error: unknown) => {
          const isDocumented = error instanceof UnreadableMove || error instanceof PackageMissing;
          if (!isDocumented) throw error;
        });
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('throws its error for every beginning of a package', () => {
    for (let length = 0; length < SYSTEM_PACKAGE.length; length++) {
      expect(() => readPackage(SYSTEM_PACKAGE.subarray(0, length))).toThrow(UnreadableMove);
    }
  });

  it('throws its error for another object', () => {
    expect(() => readPackage(Uint8Array.of(0, 0, 1, 2))).toThrow(/another object/);
  });
});
