import { describeArrived } from './describe-arrived.js';

/** Options of `IsIn` with an error message that names the allowed values. */
export function describeOneOf(values: readonly string[]) {
  return {
    message: ({ property, value }: { property: string; value: unknown }) =>
      `${property} must be one of ${values.join(', ')}; got ${describeArrived(value)}`,
  };
}
