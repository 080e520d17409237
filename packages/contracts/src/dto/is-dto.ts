import { ValidateBy } from 'class-validator';
import { describeArrived } from './describe-arrived.js';
import { checkDto } from './read-dto.js';
import type { Dto } from './valid-fields.js';

/** A field that is itself a DTO. */
export function IsDto(dto: Dto) {
  return hasNoProblems('isDto', dto, (value, path) => checkDto(dto, value, path).problems);
}

/** A field that is an array of DTOs. */
export function IsArrayOfDtos(dto: Dto) {
  return hasNoProblems('isArrayOfDtos', dto, (value, path) =>
    Array.isArray(value)
      ? value.flatMap((one, index) => checkDto(dto, one, `${path}[${index}]`).problems)
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
