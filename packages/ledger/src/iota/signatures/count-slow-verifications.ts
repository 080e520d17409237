import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';

const { ED25519, MultiSig } = SIGNATURE_SCHEME_TO_FLAG;
/** The most that a multisig can have. */
const MAX_MEMBERS = 10;

/** How many signatures in a user's (base64) are verified in JavaScript, which takes milliseconds for each. */
export function countSlowVerifications(signature: string): number {
  const [scheme, members = 0] = Buffer.from(signature.slice(0, 4), 'base64');
  if (scheme === ED25519) return 0;
  return scheme === MultiSig ? Math.min(Math.max(members, 1), MAX_MEMBERS) : 1;
}
