import { canonicalAddress } from '@forecourt/contracts';

/** The sponsor that a request names, in full form; undefined if it names none. */
export function readSponsor(address: string | null | undefined): string | undefined {
  return address == null ? undefined : canonicalAddress(address)!;
}
