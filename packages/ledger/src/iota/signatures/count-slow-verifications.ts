import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';

const { ED25519, MultiSig } = SIGNATURE_SCHEME_TO_FLAG;
/** Largest number of members of a multisig. */
const MAX_MEMBERS = 10;

/**
 * Number of signatures in a user's (base64) that are verified in JavaScript, at some milliseconds
 * each.
 */
export function countSlowVerifications(signature: string): number {
  const [scheme, members = 0] = Buffer.from(signature.slice(0, 4), 'base64');
  if (scheme === ED25519) return 0;
  return scheme === MultiSig ? Math.min(Math.max(members, 1), MAX_MEMBERS) : 1;
}
