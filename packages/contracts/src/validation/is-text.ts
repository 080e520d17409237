import { ValidateBy, type ValidationOptions } from 'class-validator';
import { describeArrived } from './describe-arrived.js';

interface TextOptions {
  readonly maxLength: number;
  readonly minLength?: number;
  /** An optional pattern and the words that name it in an error message. */
  readonly format?: readonly [pattern: RegExp, name: string];
}

/** Text of at least one character; with `each`, an array of such texts. */
export function IsText(
  { maxLength, minLength = 1, format = [/^/, 'text'] }: TextOptions,
  options?: ValidationOptions,
) {
  const [pattern, name] = format;
  return ValidateBy(
    {
      name: 'isText',
      constraints: [minLength, maxLength],
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          value.length >= minLength &&
          value.length <= maxLength &&
          pattern.test(value),
        defaultMessage: (args) => {
          const subject = options?.each ? `each of ${args?.property}` : args?.property;
          return `${subject} must be ${name} of ${minLength} to ${maxLength} characters; got ${describeArrived(args?.value)}`;
        },
      },
    },
    options,
  );
}
