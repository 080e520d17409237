import type { ArgumentValue } from '@forecourt/ledger';
import { type ExpressionWork, unitsOf } from './expression-work.js';

/** The value of an argument in expressions: bytes are lists of numbers there, as every `vector`. */
export type ExpressionValue = bigint | boolean | string | null | readonly ExpressionValue[];

const NUMBERS = Array.from({ length: 256 }, (_, value) => BigInt(value));
const lists = new WeakMap<object, readonly ExpressionValue[]>();

/** The value, which is made once. */
export function valueOf(value: ArgumentValue, work: ExpressionWork): ExpressionValue {
  if (typeof value !== 'object' || value === null) return value;
  let list = lists.get(value);
  if (!list) {
    work.spend(unitsOf(value));
    list =
      value instanceof Uint8Array
        ? Array.from(value, (byte) => NUMBERS[byte]!)
        : value.map((element) => valueOf(element, work));
    lists.set(value, list);
  }
  return list;
}
