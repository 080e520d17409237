import { costOf, type Datatype, type Primitive } from './value-type.js';

/**
 * The parts of a value's bytes, and the form of its JSON. `cost`: the types and names in the JSON of one value,
 * in bytes, as a node counts them.
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

export interface EnumLayout {
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
