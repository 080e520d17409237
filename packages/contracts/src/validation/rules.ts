import { ValidateBy, IsIn, type ValidationOptions } from 'class-validator';
import { describeArrived } from './describe-arrived.js';
import type { Dto } from './has-valid-fields.js';
import { describeProblems } from './read-dto.js';

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

/** A JSON integer above 0. */
export function IsPositiveInteger() {
  return IsIntegerBetween(1, Number.MAX_SAFE_INTEGER);
}

/** One of these texts; with `each`, an array of them. */
export function IsOneOf(values: readonly string[], options?: ValidationOptions) {
  return IsIn(values, {
    ...options,
    message: ({ property, value }) =>
      `${property} must be one of ${values.join(', ')}; got ${describeArrived(value)}`,
  });
}

/** A field that is itself a DTO. */
export function IsDto(dto: Dto) {
  return hasNoProblems('isDto', dto, (value, path) => describeProblems(dto, value, path));
}

/** A field that is an array of DTOs. */
export function IsArrayOfDtos(dto: Dto) {
  return hasNoProblems('isArrayOfDtos', dto, (value, path) =>
    Array.isArray(value)
      ? value.flatMap((one, index) => describeProblems(dto, one, `${path}[${index}]`))
      : [`${path} must be an array; got ${describeArrived(value)}`],
  );
}

function hasNoProblems(
  name: string,
  dto: Dto,
  find: (value: unknown, path: string) => readonly string[],
) {
  return ValidateBy({
    name,
    constraints: [dto],
    validator: {
      validate: (value: unknown) => find(value, name).length === 0,
      defaultMessage: (args) => find(args!.value, args!.property).join('; '),
    },
  });
}
