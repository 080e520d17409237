import { fromBase64 } from '@iota/iota-sdk/utils';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { refuse } from './engine-error.js';
import { hash } from './hash.js';
import { verifyEd25519 } from './verify-ed25519.js';

/** Intent of a transaction: scope, version and application, all zero. */
const INTENT = new Uint8Array(3);

/** Requires exactly one valid signature of each signer, in any order. Throws `EngineError` with the node's message otherwise. */
export async function verifySignatures(
  bytes: Uint8Array,
  signatures: readonly string[],
  signers: readonly string[],
): Promise<void> {
  if (signatures.length !== signers.length) {
    throw invalid(`Expect ${signers.length} signer signatures but got ${signatures.length}`);
  }
  const message = intentDigest(bytes);
  const found = await Promise.all(
    signatures.map(
      async (signature) =>
        (await verifyEd25519(message, decode(signature))) ?? authorOf(bytes, signature),
    ),
  );
  for (const signer of signers) {
    if (!found.includes(signer)) {
      throw invalid(`Required Signature from ${signer} is absent ${JSON.stringify(found)}`);
    }
  }
}

async function authorOf(bytes: Uint8Array, signature: string): Promise<string> {
  // Verifying a Move account's signature would need to run Move code.
  if (decode(signature)[0] === 7) {
    throw invalid('Signature is not valid: Move authenticators are not supported');
  }
  try {
    return (await verifyTransactionSignature(bytes, signature)).toIotaAddress();
  } catch (error) {
    throw invalid(`Signature is not valid: ${(error as Error).message}`);
  }
}

function decode(signature: string): Uint8Array {
  try {
    return fromBase64(signature);
  } catch {
    throw invalid('Signature is not valid: not base64');
  }
}

function intentDigest(bytes: Uint8Array): Uint8Array {
  const message = new Uint8Array(INTENT.length + bytes.length);
  message.set(bytes, INTENT.length);
  return hash(message);
}

function invalid(reason: string) {
  return refuse(`Invalid user signature: ${reason}`);
}
