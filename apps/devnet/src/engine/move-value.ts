import { fromHexId } from './hex.js';
import type { MoveJson } from './engine-interface.js';

/** Types of a struct's fields that are supported here, besides the leading `id`. */
export type FieldType = 'u8' | 'u64' | 'address' | 'bool' | 'string';
export type FieldValue = bigint | string | boolean;
export type Fields = Readonly<Record<string, FieldValue>>;

export interface StructLayout {
  readonly name: string;
  readonly abilities: readonly ('Copy' | 'Drop' | 'Store' | 'Key')[];
  readonly typeParameters: number;
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
  const shown: { [field: string]: MoveJson } = {};
  for (const [name, type] of layout.fields) {
    const value = fields[name]!;
    shown[name] = showField(type, value);
  }
  if (id !== null) shown.id = { id };
  return shown;
}
