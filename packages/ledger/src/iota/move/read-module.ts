import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { UnreadableMove } from './unreadable-move.js';
import type { Primitive } from './value-type.js';

const MAGIC = 'a11ceb0b';
/**
 * The oldest version that packages of the ledger have. Newer ones than the known 7 are read in the same way.
 */
const OLDEST_VERSION = 5;
/** The highest byte of the version names the ledger's flavour of the format. */
const VERSION_MASK = 0x00ff_ffff;
const MAGIC_BYTES = 4;
/** Memory of a definition for each byte that it takes: a type of one byte becomes an object with a list. */
const MEMORY_PER_BYTE = 100;

/** The kinds of tables that are read. */
const TABLE = {
  moduleHandles: 0x1,
  datatypeHandles: 0x2,
  functionHandles: 0x3,
  signatures: 0x5,
  identifiers: 0x7,
  addresses: 0x8,
  structs: 0xa,
  enums: 0x11,
} as const;

/** Tokens of a type without further bytes. */
const PRIMITIVES: Readonly<Partial<Record<number, Primitive>>> = {
  0x1: 'bool',
  0x2: 'u8',
  0x3: 'u64',
  0x4: 'u128',
  0x5: 'address',
  0xc: 'signer',
  0xd: 'u16',
  0xe: 'u32',
  0xf: 'u256',
};
const DATATYPE = 0x8;
const TYPE_PARAMETER = 0x9;
const VECTOR = 0xa;
const DATATYPE_INSTANCE = 0xb;
const REFERENCE = 0x6;
const MUTABLE_REFERENCE = 0x7;

const NATIVE = 0x1;
const DECLARED = 0x2;
/** The format's own limits. */
const MOST_TABLES = 256;
const MOST_IN_TABLE = 65_536;
const MOST_FIELDS = 255;
const MOST_VARIANTS = 127;
const DEEPEST_TOKEN = 256;
const MOST_TYPE_PARAMETERS = 255;
const MOST_IN_SIGNATURE = 255;

/**
 * A type in a definition. `package` is the first version of the package that contains the type: the module
 * does not tell which version is linked, nor which one has introduced it.
 */
export type DefinedType =
  Primitive | { readonly vector: DefinedType } | { readonly parameter: number } | NamedType;

/** Of a function. A reference has the type that it refers to. */
export interface Parameter {
  readonly type: DefinedType;
  /** It is a mutable reference. */
  readonly isMutable: boolean;
}

interface NamedType {
  readonly package: string;
  readonly module: string;
  readonly name: string;
  readonly typeArguments: readonly DefinedType[];
}

export interface Field {
  readonly name: string;
  readonly type: DefinedType;
}

/** `variants`: of an enum; null for a struct, which has `fields`. */
export interface Definition {
  readonly typeParameters: number;
  readonly fields: readonly Field[];
  readonly variants: readonly { readonly name: string; readonly fields: readonly Field[] }[] | null;
}

export interface MoveModule {
  /** The first version of the package that contains the module. */
  readonly package: string;
  readonly name: string;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** An upper estimate of the memory that the definitions take, in bytes. */
  readonly memory: number;
}

/**
 * The structs and enums of a compiled module (`file_format` of move-binary-format). Throws `UnreadableMove`
 * for other bytes.
 */
export function readModule(bytes: Uint8Array): MoveModule {
  try {
    return new ModuleReader(bytes).read();
  } catch (cause) {
    throw new UnreadableMove(`malformed Move module: ${(cause as Error).message}`, { cause });
  }
}

/**
 * The parameters of a function; null if the module has no such function. Throws `UnreadableMove` for bytes
 * that do not encode a module.
 */
export function readParameters(bytes: Uint8Array, name: string): readonly Parameter[] | null {
  try {
    return new ModuleReader(bytes).readParameters(name);
  } catch (cause) {
    throw new UnreadableMove(`malformed Move module: ${(cause as Error).message}`, { cause });
  }
}

interface Handle {
  readonly typeParameters: number;
  /** The type without arguments; one for all fields that have it. */
  readonly plain: NamedType;
}

class ModuleReader {
  readonly #tables = new Map<number, Uint8Array>();
  readonly #end: StrictReader;
  #handles: readonly Handle[] = [];
  #names: readonly string[] = [];

  constructor(bytes: Uint8Array) {
    const header = new StrictReader(bytes);
    if (header.readBytes(MAGIC_BYTES).toString('hex') !== MAGIC) throw new Error('no magic number');
    const version = header.readU32() & VERSION_MASK;
    if (version < OLDEST_VERSION) throw new Error(`version ${version} is unknown`);
    const tables = Array.from({ length: header.readVariant(MOST_TABLES, 'tables') }, () => ({
      kind: header.readByte(),
      start: header.readUleb(),
      size: header.readUleb(),
    }));
    const contents = bytes.subarray(header.position);
    let end = 0;
    for (const { kind, start, size } of tables) {
      if (start + size > contents.length) throw new Error('a table exceeds the module');
      if (this.#tables.has(kind)) throw new Error('a table exists twice');
      this.#tables.set(kind, contents.subarray(start, start + size));
      end = Math.max(end, start + size);
    }
    this.#end = new StrictReader(contents.subarray(end));
  }

  read(): MoveModule {
    const modules = this.readHandles();
    const own = this.pick(this.#end, modules);
    const definitions = new Map<string, Definition>();
    const define = (reader: StrictReader, isEnum: boolean) => {
      const { plain, typeParameters } = this.pick(reader, this.#handles);
      const { package: id, module, name } = plain;
      if (id !== own.package || module !== own.module) throw new Error('a type of another module');
      if (definitions.has(name)) throw new Error('a type exists twice');
      const [fields, variants] = isEnum
        ? [[], this.readVariants(reader)]
        : [this.readStruct(reader), null];
      definitions.set(name, { typeParameters, fields, variants });
    };
    this.table('structs', (reader) => define(reader, false));
    this.table('enums', (reader) => define(reader, true));
    return { package: own.package, name: own.module, definitions, memory: this.memory };
  }

  readParameters(name: string): readonly Parameter[] | null {
    const modules = this.readHandles();
    // Most names that do not exist are found out here, before signatures become objects.
    if (!this.#names.includes(name)) return null;
    const own = this.pick(this.#end, modules);
    const signatures = this.table('signatures', (reader) => {
      const count = reader.readVariant(MOST_IN_SIGNATURE + 1, 'types of a signature');
      return Array.from({ length: count }, () => this.readParameter(reader));
    });
    const found = this.table('functionHandles', (reader) => {
      const module = this.pick(reader, modules);
      const isTarget = this.pick(reader, this.#names) === name && module === own;
      const parameters = this.pick(reader, signatures);
      this.pick(reader, signatures);
      const typeParameters = reader.readVariant(MOST_TYPE_PARAMETERS + 1, 'type parameters');
      reader.skip(typeParameters);
      return isTarget ? parameters : null;
    });
    return found.find((parameters) => parameters !== null) ?? null;
  }

  private readHandles() {
    this.#names = this.table('identifiers', (reader) => reader.readIdentifier());
    const addresses = this.table('addresses', (reader) => reader.readAddress());
    const modules = this.table('moduleHandles', (reader) => ({
      package: this.pick(reader, addresses),
      module: this.pick(reader, this.#names),
    }));
    this.#handles = this.table('datatypeHandles', (reader) => this.readHandle(reader, modules));
    return modules;
  }

  private readParameter(reader: StrictReader): Parameter {
    const token = reader.readByte();
    const isMutable = token === MUTABLE_REFERENCE;
    const isReference = isMutable || token === REFERENCE;
    const type = isReference ? this.readType(reader, 0) : this.readTypeOf(token, reader, 0);
    return { type, isMutable };
  }

  private get memory(): number {
    const size = (kind: keyof typeof TABLE) => this.#tables.get(TABLE[kind])?.length ?? 0;
    return MEMORY_PER_BYTE * (size('structs') + size('enums')) + size('identifiers');
  }

  private table<T>(kind: keyof typeof TABLE, read: (reader: StrictReader) => T): T[] {
    const bytes = this.#tables.get(TABLE[kind]) ?? new Uint8Array(0);
    const reader = new StrictReader(bytes);
    const rows: T[] = [];
    while (reader.position < bytes.length) {
      if (rows.length === MOST_IN_TABLE) throw new Error('a table has too many rows');
      rows.push(read(reader));
    }
    return rows;
  }

  /** The row that an index names. */
  private pick<T>(reader: StrictReader, rows: readonly T[]): T {
    const row = rows[reader.readUleb()];
    if (row === undefined) throw new Error('an index is out of range');
    return row;
  }

  private readHandle(
    reader: StrictReader,
    modules: readonly Pick<NamedType, 'package' | 'module'>[],
  ): Handle {
    const own = { ...this.pick(reader, modules), name: this.pick(reader, this.#names) };
    // Abilities, here and of each parameter, and whether the parameter is a phantom.
    reader.readUleb();
    const typeParameters = reader.readVariant(MOST_TYPE_PARAMETERS + 1, 'type parameters');
    for (let left = typeParameters; left > 0; left--) reader.skip(2);
    return { typeParameters, plain: { ...own, typeArguments: [] } };
  }

  private readStruct(reader: StrictReader): Field[] {
    const flag = reader.readByte();
    if (flag === NATIVE) throw new Error('a native struct has no fields');
    if (flag !== DECLARED) throw new Error('unknown kind of struct');
    return this.readFields(reader);
  }

  private readVariants(reader: StrictReader): NonNullable<Definition['variants']> {
    if (reader.readByte() !== DECLARED) throw new Error('unknown kind of enum');
    const count = reader.readVariant(MOST_VARIANTS + 1, 'variants');
    return Array.from({ length: count }, () => ({
      name: this.pick(reader, this.#names),
      fields: this.readFields(reader),
    }));
  }

  private readFields(reader: StrictReader): Field[] {
    const count = reader.readVariant(MOST_FIELDS + 1, 'fields');
    return Array.from({ length: count }, () => ({
      name: this.pick(reader, this.#names),
      type: this.readType(reader, 0),
    }));
  }

  private readType(reader: StrictReader, depth: number): DefinedType {
    if (depth > DEEPEST_TOKEN) throw new Error('a type is nested too deeply');
    return this.readTypeOf(reader.readByte(), reader, depth);
  }

  private readTypeOf(token: number, reader: StrictReader, depth: number): DefinedType {
    const primitive = PRIMITIVES[token];
    if (primitive) return primitive;
    switch (token) {
      case VECTOR:
        return { vector: this.readType(reader, depth + 1) };
      case TYPE_PARAMETER:
        return { parameter: reader.readUleb() };
      case DATATYPE:
        return this.pick(reader, this.#handles).plain;
      case DATATYPE_INSTANCE: {
        const { plain } = this.pick(reader, this.#handles);
        const count = reader.readVariant(MOST_TYPE_PARAMETERS + 1, 'type arguments');
        const typeArguments = Array.from({ length: count }, () => this.readType(reader, depth + 1));
        return { ...plain, typeArguments };
      }
      default:
        throw new Error(`unknown type ${token}`);
    }
  }
}
