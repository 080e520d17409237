import { IsIn, type ValidationOptions } from 'class-validator';
import { describeArrived } from './describe-arrived.js';

/** One of these texts; with `each`, an array of them. */
export function IsOneOf(values: readonly string[], options?: ValidationOptions) {
  return IsIn(values, {
    ...options,
    message: ({ property, value }) =>
      `${property} must be one of ${values.join(', ')}; got ${describeArrived(value)}`,
  });
}
