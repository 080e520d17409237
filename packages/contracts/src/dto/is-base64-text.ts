import { ValidateBy } from 'class-validator';
import { describeArrived } from './describe-arrived.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Non-empty standard base64 with padding, of at most `maxLength` characters. */
export function IsBase64Text(maxLength: number) {
  return ValidateBy({
    name: 'isBase64Text',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.length > 0 &&
        value.length <= maxLength &&
        value.length % 4 === 0 &&
        BASE64.test(value) &&
        findOtherEncoding(value) === null,
      defaultMessage: (args) => {
        const value: unknown = args?.value;
        const encoding = typeof value === 'string' ? findOtherEncoding(value) : null;
        const arrived = encoding === null ? '' : `${encoding}: `;
        return `${args?.property} must be base64 text of 1 to ${maxLength} characters; got ${arrived}${describeArrived(value)}`;
      },
    },
  });
}

const PREFIXED_HEX = /^0x[0-9a-f]*$/i;
/**
 * At least as long as an address. Real base64 of that length also has other letters; a text of only `A` is
 * base64 of zeros.
 */
const LONG_HEX = /^(?=.*\d)[0-9a-f]{64,}$/i;
const BASE64URL = /^[A-Za-z0-9_-]*={0,2}$/;
const URL_LETTERS = /[_-]/;
const UNPADDED = /^[A-Za-z0-9+/]+$/;

/** The encoding of a text that should be standard base64; null if no known encoding fits. */
function findOtherEncoding(text: string): string | null {
  if (PREFIXED_HEX.test(text) || LONG_HEX.test(text)) return 'hex';
  if (URL_LETTERS.test(text) && BASE64URL.test(text)) return 'base64url';
  if (UNPADDED.test(text) && text.length % 4 > 1) return 'base64 without padding';
  return null;
}
