import { ValidateBy, type ValidationOptions } from 'class-validator';
import { describeArrived } from './describe-arrived.js';
import { findOtherEncoding } from './find-other-encoding.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Non-empty standard base64 with padding, of at most `maxLength` characters. */
export function IsBase64Text(maxLength: number, options?: ValidationOptions) {
  return ValidateBy(
    {
      name: 'isBase64Text',
      constraints: [maxLength],
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          value.length > 0 &&
          value.length <= maxLength &&
          value.length % 4 === 0 &&
          BASE64.test(value) &&
          findOtherEncoding(value) === null,
        defaultMessage: (args) =>
          `${args?.property} must be base64 text of 1 to ${maxLength} characters; got ${describeText(args?.value)}`,
      },
    },
    options,
  );
}

function describeText(value: unknown): string {
  const encoding = typeof value === 'string' ? findOtherEncoding(value) : null;
  return encoding === null ? describeArrived(value) : `${encoding}: ${describeArrived(value)}`;
}
