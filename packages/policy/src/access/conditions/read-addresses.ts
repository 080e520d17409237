import { canonicalAddress } from '@forecourt/contracts';
import type { YamlValue } from '../../yaml/index.js';

export const ANY = '*';

/** Addresses in full form, from any notation; null for any. Throws `InvalidFile`. */
export function readAddresses(value: YamlValue): ReadonlySet<string> | null {
  if (!value.isList && !value.isMap && value.text() === ANY) return null;
  return new Set(value.list().map((one) => one.parse(readAddress)));
}

/** An address in full form. Throws `Error` with the required format. */
export function readAddress(text: string): string {
  const address = canonicalAddress(text);
  if (address === null) {
    throw new Error(`must be an address (0x and hex digits), a list of these, or '*', not ${text}`);
  }
  return address;
}
