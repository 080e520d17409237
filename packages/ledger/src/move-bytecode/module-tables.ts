const MAGIC = [0xa1, 0x1c, 0xeb, 0x0b];
const VERSION = 6;
/** The first version with enums, which also names the ledger's flavour of the format in its highest byte. */
const VERSION_WITH_ENUMS = [7, 0, 0, 5];
const DECLARED = 2;
const NO_ABILITIES = 0;
const NO_PHANTOM = 0;

const PRIMITIVES: Readonly<Record<string, number>> = {
  bool: 0x1,
  u8: 0x2,
  u64: 0x3,
  u128: 0x4,
  address: 0x5,
  signer: 0xc,
  u16: 0xd,
  u32: 0xe,
  u256: 0xf,
};
const DATATYPE = 0x8;
const TYPE_PARAMETER = 0x9;
const VECTOR = 0xa;
const DATATYPE_INSTANCE = 0xb;
const REFERENCE = 0x6;
const MUTABLE_REFERENCE = 0x7;

type Fields = readonly (readonly [name: string, type: string])[];

/** The tables of a module in the binary format of Move. */
export class ModuleTables {
  readonly #identifiers = new Rows();
  readonly #addresses = new Rows();
  readonly #modules = new Rows();
  readonly #datatypes = new Rows();
  readonly #functions = new Rows();
  readonly #signatures = new Rows();
  readonly #structs = new Rows();
  readonly #enums = new Rows();

  /** The index of a module's handle. */
  module(id: string, name: string): number {
    const hex = id.replace(/^0x/, '').padStart(64, '0');
    const address = this.#addresses.add(Buffer.from(hex, 'hex'));
    return this.#modules.add([...uleb(address), ...uleb(this.identifier(name))]);
  }

  /** The index of a type's handle. */
  datatype(module: number, name: string, typeParameters: number): number {
    const parameters = Array.from({ length: typeParameters }, () => [NO_ABILITIES, NO_PHANTOM]);
    return this.#datatypes.add([
      ...uleb(module),
      ...uleb(this.identifier(name)),
      NO_ABILITIES,
      ...uleb(typeParameters),
      ...parameters.flat(),
    ]);
  }

  addStruct(handle: number, fields: Fields): void {
    this.#structs.add([...uleb(handle), DECLARED, ...this.fields(fields)]);
  }

  addEnum(handle: number, variants: readonly (readonly [name: string, fields: Fields])[]): void {
    const written = variants.flatMap(([name, fields]) => [
      ...uleb(this.identifier(name)),
      ...this.fields(fields),
    ]);
    this.#enums.add([...uleb(handle), DECLARED, ...uleb(variants.length), ...written]);
  }

  /** Without its results. */
  addFunction(
    module: number,
    name: string,
    typeParameters: number,
    parameters: readonly string[],
  ): void {
    const types = parameters.flatMap((one) => this.parameter(one));
    this.#functions.add([
      ...uleb(module),
      ...uleb(this.identifier(name)),
      ...uleb(this.#signatures.add([...uleb(parameters.length), ...types])),
      ...uleb(this.#signatures.add(uleb(0))),
      ...uleb(typeParameters),
      ...Array.from({ length: typeParameters }, () => NO_ABILITIES),
    ]);
  }

  /** The whole module; `own` is the index of its handle. */
  bytes(own: number): Uint8Array {
    const tables: readonly (readonly [kind: number, rows: Rows])[] = [
      [0x1, this.#modules],
      [0x2, this.#datatypes],
      [0x3, this.#functions],
      [0x5, this.#signatures],
      [0x7, this.#identifiers],
      [0x8, this.#addresses],
      [0xa, this.#structs],
      [0x11, this.#enums],
    ];
    const present = tables.filter(([, rows]) => rows.bytes.length > 0);
    let start = 0;
    const headers = present.flatMap(([kind, { bytes }]) => {
      const header = [kind, ...uleb(start), ...uleb(bytes.length)];
      start += bytes.length;
      return header;
    });
    const version = this.#enums.bytes.length > 0 ? VERSION_WITH_ENUMS : [VERSION, 0, 0, 0];
    return Uint8Array.from([
      ...MAGIC,
      ...version,
      ...uleb(present.length),
      ...headers,
      ...present.flatMap(([, { bytes }]) => bytes),
      ...uleb(own),
    ]);
  }

  private identifier(name: string): number {
    return this.#identifiers.add([...uleb(name.length), ...Buffer.from(name, 'latin1')]);
  }

  private fields(fields: Fields): number[] {
    const written = fields.flatMap(([name, type]) => [
      ...uleb(this.identifier(name)),
      ...this.type(type),
    ]);
    return [...uleb(fields.length), ...written];
  }

  private parameter(text: string): number[] {
    if (text.startsWith('&mut ')) return [MUTABLE_REFERENCE, ...this.type(text.slice(5))];
    return text.startsWith('&') ? [REFERENCE, ...this.type(text.slice(1))] : this.type(text);
  }

  private type(text: string): number[] {
    const primitive = PRIMITIVES[text];
    if (primitive !== undefined) return [primitive];
    const parameter = /^T(\d+)$/.exec(text);
    if (parameter) return [TYPE_PARAMETER, ...uleb(Number(parameter[1]))];
    const [, name, inner] = /^([^<>]+)(?:<(.*)>)?$/.exec(text) ?? [];
    const typeArguments = inner === undefined ? [] : splitTypes(inner);
    if (name === 'vector') return [VECTOR, ...this.type(typeArguments[0]!)];
    const [id, module, type] = name?.split('::') ?? [];
    if (!id || !module || !type) throw new TypeError(`${text} is not a type`);
    const handle = this.datatype(this.module(id, module), type, typeArguments.length);
    if (typeArguments.length === 0) return [DATATYPE, ...uleb(handle)];
    const written = typeArguments.flatMap((one) => this.type(one));
    return [DATATYPE_INSTANCE, ...uleb(handle), ...uleb(typeArguments.length), ...written];
  }
}

/** Rows in the order of their first use; equal ones exist once. */
class Rows {
  readonly bytes: number[] = [];
  readonly #indexes = new Map<string, number>();

  add(row: Iterable<number>): number {
    const bytes = [...row];
    const key = bytes.join();
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.#indexes.size);
    this.bytes.push(...bytes);
    return this.#indexes.size - 1;
  }
}

/** Types separated by commas outside of angle brackets. */
function splitTypes(text: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '<') depth += 1;
    if (character === '>') depth -= 1;
    if (character !== ',' || depth > 0) continue;
    types.push(text.slice(start, index).trim());
    start = index + 1;
  }
  return [...types, text.slice(start).trim()];
}

function uleb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uleb(value >>> 7)];
}
