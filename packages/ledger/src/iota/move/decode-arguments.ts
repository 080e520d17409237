import { TypeTagSerializer } from '@iota/iota-sdk/bcs';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { ArgumentValue, CallArgument, RawArgument } from '../../call-argument.js';
import { StrictReader } from '../transactions/decoding/strict-reader.js';
import type { DefinedType } from './read-module.js';

/** The ledger nests types less deeply. */
const DEEPEST = 32;
/** Each parameter may repeat a type argument, which may be as long as the transaction. */
const LONGEST_TYPE = 4_096;
const WIDE_BYTES = { u128: 16, u256: 32 } as const;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ASCII = /^[\0-\x7f]*$/;

const address = (short: string) => normalizeIotaAddress(short);
const STRING = `${address('0x1')}::string::String`;
const ASCII_STRING = `${address('0x1')}::ascii::String`;
const OPTION = `${address('0x1')}::option::Option`;
const OBJECT_ID = `${address('0x2')}::object::ID`;
const CONTEXT = `${address('0x2')}::tx_context::TxContext`;

/** Types whose values are shown as addresses. */
export const ADDRESS_TYPES: ReadonlySet<string> = new Set(['address', OBJECT_ID]);

/**
 * The arguments of a call with their types and values. `parameters`: of the function, by its signature; null: unknown.
 * Bytes that are not the one encoding of a value of the parameter's type have no value.
 */
export function decodeArguments(
  raws: readonly RawArgument[],
  parameters: readonly DefinedType[] | null,
  typeArguments: readonly string[],
): CallArgument[] {
  const types = parameters?.filter((type) => nameOf(type) !== CONTEXT) ?? [];
  // The ledger refuses any other number of arguments.
  const areFitting = types.length === raws.length;
  const parsed = areFitting ? typeArguments.map(parseType) : [];
  return raws.map((raw, at): CallArgument => {
    const type = areFitting ? fillIn(types[at]!, parsed) : null;
    const text = type && textOf(type);
    if (raw.kind !== 'pure') return { ...raw, type: text };
    return { kind: 'pure', type: text, value: type ? readPure(raw.bytes, type) : undefined };
  });
}

function nameOf(type: DefinedType): string | null {
  if (typeof type === 'string' || !('name' in type)) return null;
  return `${type.package}::${type.module}::${type.name}`;
}

/** The type with type arguments for its parameters; null: one is missing, or it is nested too deeply. */
function fillIn(
  type: DefinedType,
  typeArguments: readonly (DefinedType | null)[],
  depth = 0,
): DefinedType | null {
  if (depth > DEEPEST) return null;
  if (typeof type === 'string') return type;
  if ('parameter' in type) return typeArguments[type.parameter] ?? null;
  if ('vector' in type) {
    const vector = fillIn(type.vector, typeArguments, depth + 1);
    return vector && { vector };
  }
  const filled = type.typeArguments.map((one) => fillIn(one, typeArguments, depth + 1));
  return filled.every((one) => one !== null) ? { ...type, typeArguments: filled } : null;
}

/** A type argument of a transaction; null: it is nested too deeply. */
function parseType(text: string): DefinedType | null {
  if (text.length > LONGEST_TYPE) return null;
  return ofTag(TypeTagSerializer.parseFromStr(text, true), 0);
}

type TypeTag = ReturnType<typeof TypeTagSerializer.parseFromStr>;

function ofTag(tag: TypeTag, depth: number): DefinedType | null {
  if (depth > DEEPEST) return null;
  if ('vector' in tag) {
    const vector = ofTag(tag.vector, depth + 1);
    return vector && { vector };
  }
  if (!('struct' in tag)) return Object.keys(tag)[0] as Extract<DefinedType, string>;
  const { address: id, module, name, typeParams } = tag.struct;
  const typeArguments = typeParams.map((one) => ofTag(one, depth + 1));
  if (!typeArguments.every((one) => one !== null)) return null;
  return { package: normalizeIotaAddress(id), module, name, typeArguments };
}

/** Null: it is too long. */
function textOf(type: DefinedType): string | null {
  const text = write(type);
  return text.length > LONGEST_TYPE ? null : text;
}

function write(type: DefinedType): string {
  if (typeof type === 'string') return type;
  if ('vector' in type) return `vector<${write(type.vector)}>`;
  if ('parameter' in type) return `T${type.parameter}`;
  const inner = type.typeArguments.map(write).join(',');
  return `${nameOf(type)!}${inner === '' ? '' : `<${inner}>`}`;
}

/**
 * The value of a type, such as `vector<u64>`, that the bytes encode; undefined: none. Throws `Error` for a text that is no
 * type.
 */
export function decodeValue(bytes: Uint8Array, type: string): ArgumentValue | undefined {
  const parsed = parseType(type);
  return parsed ? readPure(bytes, parsed) : undefined;
}

function readPure(bytes: Uint8Array, type: DefinedType): ArgumentValue | undefined {
  const reader = new StrictReader(bytes);
  try {
    const value = readValue(reader, type);
    reader.expectEnd();
    return value;
  } catch {
    return undefined;
  }
}

/** Throws `Error` for a type that has no pure values, and for bytes that are not canonical. */
function readValue(reader: StrictReader, type: DefinedType): ArgumentValue {
  if (typeof type === 'string') return readPrimitive(reader, type);
  if ('vector' in type) {
    const values: ArgumentValue[] = [];
    for (let left = reader.readLength(); left > 0; left--) {
      values.push(readValue(reader, type.vector));
    }
    return values;
  }
  switch (nameOf(type)) {
    case STRING:
      return readText(reader);
    case ASCII_STRING: {
      const text = readText(reader);
      if (!ASCII.test(text)) throw new Error('not ASCII');
      return text;
    }
    case OBJECT_ID:
      return reader.readAddress();
    case OPTION:
      return reader.readBoolean() ? readValue(reader, innerOf(type)) : null;
    default:
      throw new Error('a struct is no pure value');
  }
}

function innerOf(type: DefinedType): DefinedType {
  const [inner] = (type as { readonly typeArguments: readonly DefinedType[] }).typeArguments;
  if (inner === undefined) throw new Error('an Option without its type');
  return inner;
}

function readText(reader: StrictReader): string {
  return utf8.decode(reader.readBytes(reader.readLength()));
}

function readPrimitive(reader: StrictReader, type: Extract<DefinedType, string>): ArgumentValue {
  switch (type) {
    case 'bool':
      return reader.readBoolean();
    case 'u8':
      return BigInt(reader.readByte());
    case 'u16':
      return BigInt(reader.readU16());
    case 'u32':
      return BigInt(reader.readU32());
    case 'u64':
      return reader.readU64();
    case 'u128':
    case 'u256': {
      const bigEndian = Buffer.from(reader.readBytes(WIDE_BYTES[type])).reverse();
      return BigInt(`0x${bigEndian.toString('hex')}`);
    }
    case 'address':
      return reader.readAddress();
    case 'signer':
      throw new Error('a signer is no pure value');
  }
}
