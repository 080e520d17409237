import type { StrictReader, TypeTag } from '../transactions/decoding/strict-reader.js';
import { MoveTooLarge } from './move-too-large.js';

export type Primitive = Exclude<TypeTag, 'vector' | 'struct'>;

/** The ledger allows 256 nodes in a type at most, and nests them less deeply. */
const MOST_NODES = 512;
const DEEPEST = 128;
/** Addresses that nodes write short in types: those of system packages and objects. */
const SHORT = new Set(['0x0', '0x1', '0x2', '0x3', '0x5', '0x6', '0x107a'].map(fullAddress));

/**
 * A struct or an enum. `package` is the package that introduced it, by which it is named in types of values.
 */
export interface Datatype {
  readonly package: string;
  readonly module: string;
  readonly name: string;
  readonly typeArguments: readonly ValueType[];
  readonly nodes: number;
  readonly cost: number;
}

/** The type of a value. */
export type ValueType = Primitive | VectorType | Datatype;

export interface VectorType {
  readonly vector: ValueType;
  readonly nodes: number;
  readonly cost: number;
}

/** Throws `MoveTooLarge`. */
export function datatype(
  named: Pick<Datatype, 'package' | 'module' | 'name'>,
  typeArguments: readonly ValueType[],
): Datatype {
  const { package: id, module, name } = named;
  const nodes = typeArguments.reduce((sum, one) => sum + nodesOf(one), 1);
  const own = PRIMITIVE_COST + ADDRESS_BYTES + module.length + name.length;
  const cost = typeArguments.reduce((sum, one) => sum + costOf(one), own);
  requireFewNodes(nodes);
  return { package: id, module, name, typeArguments, nodes, cost };
}

/** Throws `MoveTooLarge`. */
export function vectorOf(element: ValueType): VectorType {
  const nodes = nodesOf(element) + 1;
  requireFewNodes(nodes);
  return { vector: element, nodes, cost: costOf(element) + PRIMITIVE_COST };
}

const PRIMITIVE_COST = 8;
const ADDRESS_BYTES = 32;

/** The memory that a type counts as in a node's limit for the JSON of a value, in bytes. */
export function costOf(type: ValueType): number {
  return typeof type === 'string' ? PRIMITIVE_COST : type.cost;
}

function nodesOf(type: ValueType): number {
  return typeof type === 'string' ? 1 : type.nodes;
}

function requireFewNodes(nodes: number): void {
  if (nodes > MOST_NODES) throw new MoveTooLarge(`a type has more than ${MOST_NODES} parts`);
}

/**
 * A struct's or an enum's type in BCS (`StructTag`). Throws `InvalidTransactionBytes` and the errors of Move.
 */
export function readDatatype(reader: StrictReader, depth = 0): Datatype {
  if (depth > DEEPEST) throw new MoveTooLarge(`types are nested more than ${DEEPEST} times`);
  const named = {
    package: reader.readAddress(),
    module: reader.readIdentifier(),
    name: reader.readIdentifier(),
  };
  const count = reader.readLength();
  if (count > MOST_NODES) throw new MoveTooLarge(`a type has more than ${MOST_NODES} parts`);
  return datatype(
    named,
    Array.from({ length: count }, () => readValueType(reader, depth + 1)),
  );
}

function readValueType(reader: StrictReader, depth: number): ValueType {
  if (depth > DEEPEST) throw new MoveTooLarge(`types are nested more than ${DEEPEST} times`);
  const tag = reader.readTypeTag();
  if (tag === 'struct') return readDatatype(reader, depth);
  return tag === 'vector' ? vectorOf(readValueType(reader, depth + 1)) : tag;
}

/** A type as JSON-RPC writes it: addresses of system packages short, a space after each comma. */
export function showType(type: ValueType): string {
  if (typeof type === 'string') return type;
  if ('vector' in type) return `vector<${showType(type.vector)}>`;
  const { package: id, module, name, typeArguments } = type;
  const address = SHORT.has(id) ? shortAddress(id) : id;
  const named = `${address}::${module}::${name}`;
  return typeArguments.length === 0 ? named : `${named}<${typeArguments.map(showType).join(', ')}>`;
}

function shortAddress(address: string): string {
  return address.replace(/^0x0*(?=.)/, '0x');
}

function fullAddress(short: string): string {
  return `0x${short.slice(2).padStart(64, '0')}`;
}

/**
 * The parts of a value's bytes, and the form of its JSON. `cost`: the types and names in the JSON of one
 * value, in bytes, as a node counts them.
 */
export type Layout =
  | Primitive
  | { readonly kind: 'vector'; readonly of: Layout }
  | StructLayout
  | EnumLayout
  | { readonly kind: 'option'; readonly of: Layout; readonly cost: number }
  | { readonly kind: 'text'; readonly type: Datatype; readonly cost: number }
  | { readonly kind: 'uid'; readonly cost: number }
  /** A struct with one field, whose JSON is that of the field. */
  | { readonly kind: 'transparent'; readonly of: Layout; readonly cost: number };

export interface StructLayout {
  readonly kind: 'struct';
  readonly type: Datatype;
  readonly fields: readonly FieldLayout[];
  readonly cost: number;
}

interface EnumLayout {
  readonly kind: 'enum';
  readonly type: Datatype;
  readonly variants: readonly VariantLayout[];
}

export interface VariantLayout {
  readonly name: string;
  readonly fields: readonly FieldLayout[];
  readonly cost: number;
}

export interface FieldLayout {
  readonly name: string;
  readonly layout: Layout;
}

export function structLayout(type: Datatype, fields: readonly FieldLayout[]): StructLayout {
  const names = fields.map(({ name }) => name);
  return { kind: 'struct', type, fields, cost: costWith(type, names) };
}

export function variantLayout(
  type: Datatype,
  name: string,
  fields: readonly FieldLayout[],
): VariantLayout {
  const names = fields.map((field) => field.name);
  return { name, fields, cost: costWith(type, [name, ...names]) };
}

export function costWith(type: Datatype, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length, costOf(type));
}
