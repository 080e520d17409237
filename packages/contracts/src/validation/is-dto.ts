import { ValidateBy } from 'class-validator';
import { describeArrived } from './describe-arrived.js';
import type { Dto } from './dto.js';
import { describeProblems } from './read-dto.js';

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
