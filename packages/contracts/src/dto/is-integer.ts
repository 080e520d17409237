import { ValidateBy, type ValidationOptions } from 'class-validator';
import { describeArrived } from './describe-arrived.js';

/** A JSON integer within closed bounds. Text, fractions, booleans and overflowing numbers are refused. */
export function IsIntegerBetween(min: number, max: number, options?: ValidationOptions) {
  return ValidateBy(
    {
      name: 'isIntegerBetween',
      constraints: [min, max],
      validator: {
        validate: (value: unknown) =>
          typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
        defaultMessage: (args) =>
          `${args?.property} must be an integer from ${min} to ${max}; got ${describeArrived(args?.value)}`,
      },
    },
    options,
  );
}

/** A JSON integer, 0 or above. */
export function IsNatural() {
  return IsIntegerBetween(0, Number.MAX_SAFE_INTEGER);
}

/** A JSON integer above 0; with `each`, an array of them. */
export function IsPositiveInteger(options?: ValidationOptions) {
  return IsIntegerBetween(1, Number.MAX_SAFE_INTEGER, options);
}
