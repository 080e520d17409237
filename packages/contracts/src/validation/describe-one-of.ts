import { describeArrived } from './describe-arrived.js';

/** The options of `IsIn` whose error message names the values it takes. */
export function describeOneOf(values: readonly string[]) {
  return {
    message: ({ property, value }: { property: string; value: unknown }) =>
      `${property} must be one of ${values.join(', ')}; got ${describeArrived(value)}`,
  };
}
