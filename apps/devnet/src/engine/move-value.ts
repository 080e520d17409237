import { fromHexId } from './hash.js';
import type { MoveJson } from './engine-interface.js';

/** Types of a struct's fields that are supported here, besides the leading `id`. */
type FieldType = 'u8' | 'u64' | 'address' | 'bool' | 'string';
export type FieldValue = bigint | string | boolean;
export type Fields = Readonly<Record<string, FieldValue>>;

export interface StructLayout {
  readonly name: string;
  readonly abilities: readonly ('Copy' | 'Drop' | 'Store' | 'Key')[];
  /** Objects (`Key`) have an `id` before these. */
  readonly fields: readonly (readonly [name: string, type: FieldType])[];
}

/** BCS of a struct; `id` null for a struct that is not an object. */
export function encodeStruct(layout: StructLayout, id: string | null, fields: Fields): Uint8Array {
  const parts: Uint8Array[] = id === null ? [] : [fromHexId(id)];
  for (const [name, type] of layout.fields) parts.push(encodeField(type, fields[name]!));
  return Buffer.concat(parts);
}

function encodeField(type: FieldType, value: FieldValue): Uint8Array {
  switch (type) {
    case 'u8':
      return Uint8Array.of(Number(value));
    case 'u64': {
      const bytes = Buffer.allocUnsafe(8);
      bytes.writeBigUInt64LE(value as bigint);
      return bytes;
    }
    case 'address':
      return fromHexId(value as string);
    case 'bool':
      return Uint8Array.of(value === true ? 1 : 0);
    case 'string': {
      const text = Buffer.from(value as string, 'utf8');
      return Buffer.concat([encodeLength(text.length), text]);
    }
  }
}

/** ULEB128, as BCS writes lengths. */
export function encodeLength(length: number): Uint8Array {
  const bytes: number[] = [];
  let rest = length;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function showField(type: FieldType, value: FieldValue): MoveJson {
  if (type === 'u8') return Number(value);
  return type === 'u64' ? String(value) : (value as string | boolean);
}

/** A struct's fields as a node's JSON shows them. */
export function showFields(
  layout: StructLayout,
  id: string | null,
  fields: Fields,
): { [field: string]: MoveJson } {
  const json: { [field: string]: MoveJson } = {};
  for (const [name, type] of layout.fields) {
    const value = fields[name]!;
    json[name] = showField(type, value);
  }
  if (id !== null) json.id = { id };
  return json;
}

/** Whether bytes are exactly one BCS value of a pure Move type. */
export function isPureOf(type: string, bytes: Uint8Array): boolean {
  return read(type, bytes, 0) === bytes.length;
}

/** Whether the type is allowed as a pure argument. */
export function isPureType(type: string): boolean {
  if (SIZES.has(type) || STRINGS.has(type)) return true;
  const inner = elementOf(type);
  return inner !== null && isPureType(inner);
}

const SIZES = new Map([
  ['u8', 1],
  ['u16', 2],
  ['u32', 4],
  ['u64', 8],
  ['u128', 16],
  ['u256', 32],
  ['address', 32],
  ['0x2::object::ID', 32],
]);
SIZES.set('bool', 1);
const STRINGS = new Set(['0x1::string::String', '0x1::ascii::String']);
const utf8 = new TextDecoder('utf-8', { fatal: true });

function elementOf(type: string): string | null {
  if (type.startsWith('vector<')) return type.slice(7, -1);
  return type.startsWith('0x1::option::Option<') ? type.slice(20, -1) : null;
}

/** The end of the value that starts at `offset`; -1 when it is invalid. */
function read(type: string, bytes: Uint8Array, offset: number): number {
  if (type === 'bool' && bytes[offset]! > 1) return -1;
  const size = SIZES.get(type);
  if (size !== undefined) return offset + size <= bytes.length ? offset + size : -1;
  const [length, start] = readLength(bytes, offset);
  if (length < 0) return -1;
  if (STRINGS.has(type)) return readText(bytes, start, length);
  const inner = elementOf(type);
  if (inner === null || (type.startsWith('0x1::option') && length > 1)) return -1;
  let end = start;
  for (let index = 0; index < length && end >= 0; index++) end = read(inner, bytes, end);
  return end;
}

function readText(bytes: Uint8Array, start: number, length: number): number {
  if (start + length > bytes.length) return -1;
  try {
    utf8.decode(bytes.subarray(start, start + length));
    return start + length;
  } catch {
    return -1;
  }
}

/** The length that precedes a vector's elements, and where they begin; -1: it is invalid. */
export function readLength(bytes: Uint8Array, offset: number): [length: number, start: number] {
  let length = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[offset + index];
    if (byte === undefined) return [-1, offset];
    length += (byte & 127) * 2 ** (7 * index);
    if (byte < 128) return [length, offset + index + 1];
  }
  return [-1, offset];
}

export const COIN_LAYOUT: StructLayout = {
  name: 'Coin',
  abilities: ['Store', 'Key'],
  fields: [['balance', 'u64']],
};
