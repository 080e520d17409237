import { showAddress } from './type-tag.js';
import type { MoveFunction, MoveModule } from './move-module.js';
import { normalizeMoveType } from './move-type.js';
import type { FieldType, StructLayout } from './move-value.js';

/** A function as a node's `getNormalizedMoveFunction` shows it. */
export function normalizeFunction(fn: MoveFunction): object {
  return {
    visibility: 'Public',
    isEntry: fn.isEntry,
    typeParameters: fn.typeParameters.map((abilities) => ({ abilities: [...abilities] })),
    parameters: fn.parameters.map(normalizeMoveType),
    return: fn.returns.map(normalizeMoveType),
  };
}

/** A module as a node's `getNormalizedMoveModule` shows it. */
export function normalizeModule(module: MoveModule): object {
  return {
    fileFormatVersion: 6,
    address: showAddress(module.packageId),
    name: module.name,
    friends: [],
    structs: Object.fromEntries(module.structs.map((each) => [each.name, normalizeStruct(each)])),
    enums: {},
    exposedFunctions: Object.fromEntries(
      module.functions.map((each) => [each.name, normalizeFunction(each)]),
    ),
  };
}

function normalizeStruct({ abilities, typeParameters, fields }: StructLayout): object {
  const id = {
    name: 'id',
    type: { Struct: { address: '0x2', module: 'object', name: 'UID', typeArguments: [] } },
  };
  return {
    abilities: { abilities: [...abilities] },
    typeParameters: Array.from({ length: typeParameters }, () => ({
      constraints: { abilities: [] },
      isPhantom: true,
    })),
    fields: [
      ...(abilities.includes('Key') ? [id] : []),
      ...fields.map(([name, type]) => ({ name, type: FIELD_TYPES[type] })),
    ],
  };
}

const FIELD_TYPES: Record<FieldType, unknown> = {
  u8: 'U8',
  u64: 'U64',
  address: 'Address',
  bool: 'Bool',
  string: { Struct: { address: '0x1', module: 'string', name: 'String', typeArguments: [] } },
};
