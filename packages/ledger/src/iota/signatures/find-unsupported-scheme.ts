import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';

const { MultiSig, MoveAuthenticator } = SIGNATURE_SCHEME_TO_FLAG;
/** Ed25519, Secp256k1 and Secp256r1: one byte and 64 of the signature. */
const KNOWN_MEMBERS = 3;
const MEMBER_LENGTH = 65;
const FIRST_MEMBER = 2;

/** See `Ledger.unsupportedSignature`. */
export function findUnsupportedScheme(signature: string): string | null {
  const raw = Buffer.from(signature, 'base64');
  if (raw[0] === MoveAuthenticator) {
    return 'signatures of Move accounts (MoveAuthenticator) can only be verified on the ledger and are not supported';
  }
  if (raw[0] === MultiSig && hasUnknownMember(raw)) {
    return 'a multisig with members other than Ed25519, Secp256k1 and Secp256r1, such as a passkey, is not supported';
  }
  return null;
}

function hasUnknownMember(raw: Uint8Array): boolean {
  const members = raw[1] ?? 0;
  for (let member = 0; member < members; member++) {
    const scheme = raw[FIRST_MEMBER + member * MEMBER_LENGTH];
    if (scheme === undefined) return false;
    // The next one's position is unknown after it.
    if (scheme >= KNOWN_MEMBERS) return true;
  }
  return false;
}
