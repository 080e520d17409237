import { ValidateBy } from 'class-validator';
import { describeArrived } from './describe-arrived.js';
import { describeProblems, type Dto } from './read-dto.js';

/** A field that is itself a DTO. */
export function IsDto(dto: Dto) {
  return ValidateBy({
    name: 'isDto',
    validator: {
      validate: (value: unknown) => describeProblems(dto, value).length === 0,
      defaultMessage: (args) =>
        describeProblems(dto, args?.value, `${args?.property}.`, args?.property).join('; '),
    },
  });
}

/** A field that is an array of DTOs. */
export function IsArrayOfDtos(dto: Dto) {
  return ValidateBy({
    name: 'isArrayOfDtos',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) && value.every((one) => describeProblems(dto, one).length === 0),
      defaultMessage: (args) => {
        const { property, value } = args!;
        if (!Array.isArray(value)) {
          return `${property} must be an array; got ${describeArrived(value)}`;
        }
        return value
          .flatMap((one, index) => {
            const name = `${property}[${index}]`;
            return describeProblems(dto, one, `${name}.`, name);
          })
          .join('; ');
      },
    },
  });
}
