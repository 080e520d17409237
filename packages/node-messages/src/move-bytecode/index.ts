/** Compiled Move modules that declare types and have no functions, for devnet and tests. */
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

export interface DeclaredModule {
  /** Where the module was first published: an address, `0x` and up to 64 hex digits. */
  readonly package: string;
  readonly name: string;
  readonly types: readonly DeclaredType[];
}

/** The module in the binary format of Move; version 7 if it has enums, otherwise 6. Throws `TypeError` for an invalid type. */
export function compileModule({ package: id, name, types }: DeclaredModule): Uint8Array {
  const tables = new ModuleTables();
  const own = tables.module(id, name);
  for (const { name: type, typeParameters = 0, fields, variants } of types) {
    const handle = tables.datatype(own, type, typeParameters);
    if (variants) tables.addEnum(handle, variants);
    else tables.addStruct(handle, fields ?? []);
  }
  return tables.bytes(own);
}
