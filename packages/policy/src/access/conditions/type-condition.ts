import { canonicalType } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';
import type { YamlValue } from '../../yaml/index.js';
import type { ReadTransactionCondition } from './condition.js';
import { ANY } from './read-operands.js';

/**
 * `type-argument`: `0x2::coin::Coin`, with or without its parameters, or a list. It is compared with the
 * types that a transaction states: type arguments of Move calls and element types of vectors. To allow, each
 * of them must match, and every call and vector must state one; to deny, one match at any depth is enough.
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

/** Ledgers refuse type arguments that nest deeper. */
const DEEPEST = 16;

/** Several rules may need the types of one transaction. */
const cache = new WeakMap<DecodedTransaction, readonly string[] | null>();

/**
 * Every type that a transaction states, including nested types: `vector<0x2::coin::Coin<u8>>` gives three.
 * Null if a type nests too deeply to be searched; no ledger executes such a transaction.
 */
function nestedTypes(transaction: DecodedTransaction): readonly string[] | null {
  let types = cache.get(transaction);
  if (types === undefined) {
    types = collectNestedTypes(transaction);
    cache.set(transaction, types);
  }
  return types;
}

function collectNestedTypes({ moveCalls, vectorTypes }: DecodedTransaction): string[] | null {
  const types = new Set<string>();
  const stated = [...moveCalls.flatMap(({ typeArguments }) => typeArguments), ...vectorTypes];
  for (const type of new Set(stated)) {
    if (type !== null && !collect(type, types)) return null;
  }
  return [...types];
}

/** Types have no spaces: one begins at the start, after `<` or after `,`, and ends before `,` or `>`. */
function collect(text: string, types: Set<string>): boolean {
  const starts = [0];
  const end = (index: number) => {
    const type = text.slice(starts.pop(), index);
    if (type !== '') types.add(type);
  };
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (sign === '<') {
      starts.push(index + 1);
      if (starts.length > DEEPEST + 1) return false;
    } else if (sign === ',') {
      end(index);
      starts.push(index + 1);
    } else if (sign === '>') end(index);
  }
  end(text.length);
  return true;
}
