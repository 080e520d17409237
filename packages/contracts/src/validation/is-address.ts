import { IsText } from './is-text.js';

const MAX_ADDRESS_LENGTH = 66;

/** An address or object id: `0x` and 1 to 64 hex digits. */
export function IsAddress() {
  return IsText({
    maxLength: MAX_ADDRESS_LENGTH,
    format: [/^0x[0-9a-fA-F]{1,64}$/, 'an address, 0x and hex digits,'],
  });
}
