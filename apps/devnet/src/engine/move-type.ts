import { fullId } from './hash.js';

/** A Move type in a function's signature; type parameters are written `T0`, `T1`. */
export type MoveType =
  | { readonly kind: 'primitive'; readonly name: string }
  | { readonly kind: 'parameter'; readonly index: number }
  | { readonly kind: 'vector'; readonly of: MoveType }
  | { readonly kind: 'reference'; readonly mutable: boolean; readonly to: MoveType }
  | {
      readonly kind: 'struct';
      readonly address: string;
      readonly module: string;
      readonly name: string;
      readonly parameters: readonly MoveType[];
    };

/** Reads `&mut 0x2::coin::Coin<T0>` and the like; at most one type parameter per struct. */
export function parseMoveType(text: string): MoveType {
  if (text.startsWith('&mut ')) return reference(text.slice(5), true);
  if (text.startsWith('&')) return reference(text.slice(1), false);
  if (text.startsWith('vector<')) return { kind: 'vector', of: parseMoveType(text.slice(7, -1)) };
  if (/^T\d+$/.test(text)) return { kind: 'parameter', index: Number(text.slice(1)) };
  const struct = /^(0x[0-9a-f]+)::(\w+)::(\w+)(?:<(.+)>)?$/.exec(text);
  if (!struct) return { kind: 'primitive', name: text };
  const [, address, module, name, parameter] = struct;
  return {
    kind: 'struct',
    address: address!,
    module: module!,
    name: name!,
    parameters: parameter === undefined ? [] : [parseMoveType(parameter)],
  };
}

function reference(text: string, mutable: boolean): MoveType {
  return { kind: 'reference', mutable, to: parseMoveType(text) };
}

/** The type with its parameters filled in, as a node shows it. */
export function instantiate(type: MoveType, typeArguments: readonly string[]): string {
  switch (type.kind) {
    case 'primitive':
      return type.name;
    case 'parameter':
      return typeArguments[type.index] ?? `T${type.index}`;
    case 'vector':
      return `vector<${instantiate(type.of, typeArguments)}>`;
    case 'reference':
      return instantiate(type.to, typeArguments);
    case 'struct': {
      const parameters = type.parameters.map((each) => instantiate(each, typeArguments));
      const tag = `${type.address}::${type.module}::${type.name}`;
      return parameters.length > 0 ? `${tag}<${parameters.join(', ')}>` : tag;
    }
  }
}

const NORMALIZED = new Map([
  ['bool', 'Bool'],
  ['address', 'Address'],
  ['signer', 'Signer'],
]);

/** The type as a node's normalized functions show it. */
export function normalizeMoveType(type: MoveType): unknown {
  switch (type.kind) {
    case 'primitive':
      return NORMALIZED.get(type.name) ?? type.name.toUpperCase();
    case 'parameter':
      return { TypeParameter: type.index };
    case 'vector':
      return { Vector: normalizeMoveType(type.of) };
    case 'reference':
      return { [type.mutable ? 'MutableReference' : 'Reference']: normalizeMoveType(type.to) };
    case 'struct':
      return {
        Struct: {
          address: fullId(type.address).replace(/^0x0{63}/, '0x'),
          module: type.module,
          name: type.name,
          typeArguments: type.parameters.map(normalizeMoveType),
        },
      };
  }
}

/** Whether the parameter is the transaction context, which takes no argument. */
export function isTxContext(type: MoveType): boolean {
  return type.kind === 'reference' && type.to.kind === 'struct' && type.to.module === 'tx_context';
}
