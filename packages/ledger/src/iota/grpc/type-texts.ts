import type { StrictReader } from '../transactions/decoding/strict-reader.js';

/** Far more than the ledger allows. */
const DEEPEST = 500;

/** How nodes write an address in a type; it is given in full form. */
export type AddressForm = (address: string) => string;

/** Zero, the Move library, the framework, the system, the system state, the clock and Stardust. */
const FRAMEWORK = /^0x0*([0-3]|5|6|107a)$/;

/** In types of objects, coins and events: short for the ledger's own packages, and in full for all others. */
export const shortIfFramework: AddressForm = (address) => address.replace(FRAMEWORK, '0x$1');

/** In types of commands. */
export const withoutLeadingZeros: AddressForm = (address) => address.replace(/^0x0+(?=.)/, '0x');

/**
 * A type tag in the text of nodes. Without the limits of the types that we accept from callers: the ledger
 * may hold others. Throws `Error` for bytes that do not encode a type.
 */
export function readTypeText(reader: StrictReader, form: AddressForm, depth = 0): string {
  if (depth > DEEPEST) throw new Error('types are nested too deeply');
  const type = reader.readTypeTag();
  if (type === 'vector') return `vector<${readTypeText(reader, form, depth + 1)}>`;
  return type === 'struct' ? readStructText(reader, form, depth) : type;
}

/** A struct's type without the variant of `TypeTag` in front. */
export function readStructText(reader: StrictReader, form: AddressForm, depth = 0): string {
  const name = `${form(reader.readAddress())}::${reader.readText()}::${reader.readText()}`;
  const parameters = Array.from({ length: reader.readLength() }, () =>
    readTypeText(reader, form, depth + 1),
  );
  return parameters.length === 0 ? name : `${name}<${parameters.join(', ')}>`;
}
