import type { SponsorStatus } from '@forecourt/contracts';
import { plainText } from './format-table.js';

/** Where a sponsor's key is, for people. */
export function describeSigner(signer: SponsorStatus['signer']): string {
  if (!signer) return '-';
  const kinds = signer.kinds.map(plainText).join(', ');
  return signer.signs ? kinds : `${kinds} (does not sign)`;
}
