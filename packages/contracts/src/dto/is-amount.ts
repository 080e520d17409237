import { ValidateBy } from 'class-validator';
import { describeArrived } from './describe-arrived.js';

/** The largest balance of a pool. */
const MAX_AMOUNT = 2n ** 63n - 1n;

/** Decimal text of an amount in the smallest unit, from 1 to 2^63-1. */
export function IsAmount() {
  return ValidateBy({
    name: 'isAmount',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value) && BigInt(value) <= MAX_AMOUNT,
      defaultMessage: (args) =>
        `${args?.property} must be a decimal integer in text from 1 to ${MAX_AMOUNT}; got ${describeArrived(args?.value)}`,
    },
  });
}
