import type { SponsorStatus } from '@forecourt/contracts';
import { plainText } from './format-table.js';

/** Where a sponsor's key is, for people. A gateway of an earlier release does not say. */
export function describeSigner(signer: SponsorStatus['signer'] | undefined): string {
  if (!signer) return '-';
  const kinds = signer.kinds.map(plainText).join(', ');
  return signer.signs ? kinds : `${kinds} (does not sign)`;
}
