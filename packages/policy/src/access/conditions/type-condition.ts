import { canonicalType } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';
import type { YamlValue } from '../../yaml/index.js';
import type { ReadTransactionCondition } from './condition.js';
import { nestedTypes } from './nested-types.js';
import { ANY } from './read-addresses.js';

/**
 * `type-argument`: `0x2::coin::Coin`, with or without its parameters, or a list. It is compared with the types that a
 * transaction states: type arguments of Move calls and element types of vectors. To allow, each of them must match, and
 * every call and vector must state one; to deny, one match at any depth is enough.
 */
export const readTypeArgument: ReadTransactionCondition = (value) => {
  const patterns = readTypes(value);
  const matches = (type: string) =>
    patterns.has(type) || patterns.has(withoutParameters(type)) || patterns.has(ANY);
  return ({ transaction }, quantifier) => {
    if (quantifier === 'every') {
      const types = statedTypes(transaction);
      return types !== null && types.length > 0 && types.every(matches);
    }
    const nested = nestedTypes(transaction);
    return nested === null || nested.some(matches);
  };
};

const withoutParameters = (type: string) => type.replace(/<.*$/, '');

/** The types that calls and vectors state; null if a call or vector states none. */
function statedTypes({ moveCalls, vectorTypes }: DecodedTransaction): string[] | null {
  const types = moveCalls.flatMap(({ typeArguments }) => typeArguments);
  const isUntyped = moveCalls.some(({ typeArguments }) => typeArguments.length === 0);
  const vectors = vectorTypes.filter((type) => type !== null);
  return isUntyped || vectors.length < vectorTypes.length ? null : [...types, ...vectors];
}

function readTypes(value: YamlValue): ReadonlySet<string> {
  return new Set(
    value.list().map((one) =>
      one.parse((text) => {
        const type = text === ANY ? text : canonicalType(text);
        if (type === null) throw new Error('must be a type, such as 0x2::coin::Coin, or a list');
        return type;
      }),
    ),
  );
}
