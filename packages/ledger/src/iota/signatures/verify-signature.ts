import { bcs } from '@iota/iota-sdk/bcs';
import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { TokenBucket } from './token-bucket.js';
import { Ed25519Verifier } from './verify-ed25519.js';
import { BoundedReader } from '../transactions/decoding/bounded-reader.js';
import { transactionIntentDigest } from '../transaction-digest.js';

const { ED25519, MultiSig, MoveAuthenticator } = SIGNATURE_SCHEME_TO_FLAG;

/** Verifies signatures of every scheme that the SDK supports. */
export class SignatureVerifier {
  private readonly ed25519 = new Ed25519Verifier();
  /**
   * OpenSSL refuses a few signatures that the ledger accepts. A flood of bad signatures must not
   * take the slow path each time.
   */
  private readonly secondOpinions = new TokenBucket({ perSecond: 200, burst: 200 });

  /**
   * Whether `signature` (base64) is `signer`'s over the transaction. Malformed text is no
   * signature.
   */
  async verify(bytes: Uint8Array, signature: string, signer: string): Promise<boolean> {
    const raw = Buffer.from(signature, 'base64');
    if (raw[0] === ED25519) {
      if (this.ed25519.verify(transactionIntentDigest(bytes), raw, signer)) return true;
      if (!this.secondOpinions.take()) return false;
    }
    return hasPlausibleLengths(raw) && verifyWithSdkSafely(bytes, signature, signer);
  }
}

/** Reads signatures with lists once with a reader of bounded memory, before the SDK reads them. */
function hasPlausibleLengths(raw: Uint8Array): boolean {
  const reader = new BoundedReader(raw.subarray(1));
  try {
    if (raw[0] === MultiSig) bcs.MultiSig.read(reader);
    if (raw[0] === MoveAuthenticator) bcs.MoveAuthenticator.read(reader);
    return true;
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
