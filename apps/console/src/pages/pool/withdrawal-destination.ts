const WHOLE_ADDRESS = /^0x[0-9a-f]{64}$/;
const TYPED_DIGITS = 8;

/**
 * An address in full; null for anything shorter: with digits missing, another address would get the funds.
 */
export function readDestination(text: string): string | null {
  const address = text.trim().toLowerCase();
  return WHOLE_ADDRESS.test(address) ? address : null;
}

/** The digits that confirm an address. */
export function typedEnd(address: string): string {
  return address.slice(-TYPED_DIGITS);
}
