/** Compiled Move modules that declare types and functions without code, for devnet and tests. */
import { ModuleTables } from './module-tables.js';

/** A type as text, such as `u64`, `vector<0x1::string::String>`, or `T0` for the first type parameter. */
export type FieldText = readonly [name: string, type: string];

export interface DeclaredType {
  readonly name: string;
  /** Number of type parameters; default 0. */
  readonly typeParameters?: number;
  /** Of a struct. */
  readonly fields?: readonly FieldText[];
  /** Of an enum. */
  readonly variants?: readonly (readonly [name: string, fields: readonly FieldText[]])[];
}

export interface DeclaredFunction {
  readonly name: string;
  /** Number of type parameters; default 0. */
  readonly typeParameters?: number;
  /** As `FieldText` has them; `&` and `&mut ` may precede. */
  readonly parameters: readonly string[];
}

export interface DeclaredModule {
  /** Where the module was first published: an address, `0x` and up to 64 hex digits. */
  readonly package: string;
  readonly name: string;
  readonly types: readonly DeclaredType[];
  readonly functions?: readonly DeclaredFunction[];
}

/**
 * The module in the binary format of Move; version 7 if it has enums, otherwise 6. Throws `TypeError` for an
 * invalid type.
 */
export function compileModule(declared: DeclaredModule): Uint8Array {
  const { package: id, name, types, functions = [] } = declared;
  const tables = new ModuleTables();
  const own = tables.module(id, name);
  for (const { name: type, typeParameters = 0, fields, variants } of types) {
    const handle = tables.datatype(own, type, typeParameters);
    if (variants) tables.addEnum(handle, variants);
    else tables.addStruct(handle, fields ?? []);
  }
  for (const { name: fn, typeParameters = 0, parameters } of functions) {
    tables.addFunction(own, fn, typeParameters, parameters);
  }
  return tables.bytes(own);
}
