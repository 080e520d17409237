import type { ArgumentValue } from '@forecourt/ledger';
import type { ExpressionWork } from './expression-work.js';

/** The value of an argument in expressions: bytes are lists of numbers there, as every `vector`. */
export type ExpressionValue = bigint | boolean | string | null | readonly ExpressionValue[];

interface Sizes {
  /** Characters and elements in it. */
  readonly units: number;
  /** The length of the longest list in it. */
  readonly longest: number;
}

const NUMBERS = Array.from({ length: 256 }, (_, value) => BigInt(value));

const sizes = new WeakMap<object, Sizes>();
const lists = new WeakMap<object, readonly ExpressionValue[]>();

/** The value, which is made once. Throws if the expression would work on it too long. */
export function valueOf(value: ArgumentValue, work: ExpressionWork): ExpressionValue {
  const { units, longest } = sizesOf(value);
  work.spend(units);
  work.spendOnList(longest);
  return listOf(value);
}

function sizesOf(value: ArgumentValue): Sizes {
  if (typeof value === 'string') return { units: value.length, longest: 0 };
  if (typeof value !== 'object' || value === null) return { units: 0, longest: 0 };
  let known = sizes.get(value);
  if (!known) {
    let [units, longest] = [value.length, value.length];
    if (!(value instanceof Uint8Array)) {
      for (const element of value) {
        const inner = sizesOf(element);
        units += inner.units;
        longest = Math.max(longest, inner.longest);
      }
    }
    known = { units, longest };
    sizes.set(value, known);
  }
  return known;
}

function listOf(value: ArgumentValue): ExpressionValue {
  if (typeof value !== 'object' || value === null) return value;
  let list = lists.get(value);
  if (!list) {
    list =
      value instanceof Uint8Array
        ? Array.from(value, (byte) => NUMBERS[byte]!)
        : value.map((element) => listOf(element));
    lists.set(value, list);
  }
  return list;
}
