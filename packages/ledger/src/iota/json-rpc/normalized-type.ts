import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { NodeAnswer } from '../answers/node-answer.js';
import type { DefinedType, Parameter } from '../move/read-module.js';

/** A type as a node's normalized functions show it. */
type NormalizedType =
  | string
  | { readonly Vector: NormalizedType }
  | { readonly TypeParameter: number }
  | { readonly Reference: NormalizedType }
  | { readonly MutableReference: NormalizedType }
  | { readonly Struct: NormalizedStruct };

interface NormalizedStruct {
  readonly address: string;
  readonly module: string;
  readonly name: string;
  readonly typeArguments: readonly NormalizedType[];
}

/** A function's parameter. Throws `NodeFailure` for another form. */
export function readNormalized(answer: NodeAnswer): Parameter {
  try {
    return parameterOf(answer.raw as NormalizedType);
  } catch (error) {
    if (error instanceof TypeError) throw answer.malformed('the type of a parameter');
    throw error;
  }
}

/** Throws `TypeError` for another form. */
function parameterOf(normalized: NormalizedType): Parameter {
  if (typeof normalized === 'string') return { type: typeOf(normalized), isMutable: false };
  if ('Reference' in normalized) return { type: typeOf(normalized.Reference), isMutable: false };
  const isMutable = 'MutableReference' in normalized;
  return { type: typeOf(isMutable ? normalized.MutableReference : normalized), isMutable };
}

/** Throws `TypeError` for a reference, which only a whole parameter can be, and for another form. */
function typeOf(type: NormalizedType): DefinedType {
  if (typeof type === 'string') return type.toLowerCase() as Extract<DefinedType, string>;
  if ('Vector' in type) return { vector: typeOf(type.Vector) };
  if ('TypeParameter' in type) return { parameter: type.TypeParameter };
  if (!('Struct' in type)) throw new TypeError('a reference within a type');
  const { address, module, name, typeArguments } = type.Struct;
  const inner = typeArguments.map(typeOf);
  return { package: normalizeIotaAddress(address), module, name, typeArguments: inner };
}
