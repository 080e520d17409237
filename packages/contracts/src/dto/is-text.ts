import { ValidateBy, type ValidationOptions } from 'class-validator';
import { describeArrived } from './describe-arrived.js';

/** Maximum length of a name, id or digest in a message; far above the length of any of them. */
const MAX_NAME_LENGTH = 4_096;
/** Maximum length of a message of the ledger, or of a message about a file. */
export const MAX_MESSAGE_LENGTH = 1024 * 1024;

const ANYTHING = /^/;

export interface TextOptions {
  readonly maxLength?: number;
  readonly minLength?: number;
  /** An optional pattern and the words that name it in an error message. */
  readonly format?: readonly [pattern: RegExp, name: string];
}

/** An integer of any size. */
export const DECIMAL = {
  maxLength: 80,
  format: [/^-?\d+$/, 'a decimal integer in text'],
} as const satisfies TextOptions;

/** The `traceparent` of W3C Trace Context. */
export const TRACEPARENT = {
  maxLength: 55,
  format: [/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/, 'a W3C traceparent'],
} as const satisfies TextOptions;

/** An address or object id: `0x` and 1 to 64 hex digits. */
export const ADDRESS = {
  maxLength: 66,
  format: [/^0x[0-9a-fA-F]{1,64}$/, 'an address, 0x and hex digits,'],
} as const satisfies TextOptions;

/**
 * Text of at least one character, and at most as long as a name, unless the options say otherwise; with
 * `each`, an array of them.
 */
export function IsText(
  { maxLength = MAX_NAME_LENGTH, minLength = 1, format = [ANYTHING, 'text'] }: TextOptions,
  options?: ValidationOptions,
) {
  const [pattern, name] = format;
  return ValidateBy(
    {
      name: 'isText',
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

/** The name, id or digest of something; with `each`, an array of them. */
export function IsName(options?: ValidationOptions) {
  return IsText({}, options);
}
