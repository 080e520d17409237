import { findExpense, gatewayLimits, TokenBuckets } from '@forecourt/resilience';
import { bcs } from '@iota/iota-sdk/bcs';
import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { transactionIntentDigest } from '../transactions/decoding/transaction-digest.js';
import { Ed25519Verifier } from './ed25519-verifier.js';
import { BoundedReader } from './bounded-reader.js';

const { ED25519, MultiSig, MoveAuthenticator, Passkey } = SIGNATURE_SCHEME_TO_FLAG;

/** Verifies signatures of every scheme that the SDK supports. */
export class SignatureVerifier {
  readonly #ed25519 = new Ed25519Verifier();
  /**
   * OpenSSL refuses a few signatures that the ledger accepts. A flood of bad signatures must not
   * take the slow path each time.
   */
  readonly #secondOpinions = TokenBuckets.within(1, gatewayLimits.secondOpinions.default);

  /** Whether `signature` (base64) is `signer`'s over the transaction. Malformed text is not a signature. */
  async verify(bytes: Uint8Array, signature: string, signer: string): Promise<boolean> {
    const raw = Buffer.from(signature, 'base64');
    if (raw[0] === ED25519) {
      if (this.#ed25519.verify(transactionIntentDigest(bytes), raw, signer)) return true;
      if (this.#secondOpinions.take('all signers') > 0) return false;
    }
    return isCheapToRead(raw) && verifyWithSdkSafely(bytes, signature, signer);
  }
}

/**
 * Reads signatures with lists, before the SDK does, with a reader of bounded memory. It does not parse the
 * JSON in them.
 */
function isCheapToRead(raw: Uint8Array): boolean {
  const reader = new BoundedReader(raw.subarray(1));
  try {
    if (raw[0] === MultiSig) bcs.MultiSig.read(reader);
    if (raw[0] === MoveAuthenticator) bcs.MoveAuthenticator.read(reader);
    if (raw[0] !== Passkey) return true;
    return findExpense(bcs.PasskeyAuthenticator.read(reader).clientDataJson) === null;
  } catch {
    return false;
  }
}

async function verifyWithSdkSafely(
  bytes: Uint8Array,
  signature: string,
  signer: string,
): Promise<boolean> {
  try {
    await verifyTransactionSignature(bytes, signature, { address: signer });
    return true;
  } catch {
    return false;
  }
}
