import { fromBase64 } from '@iota/iota-sdk/utils';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { EngineError, refuse } from './engine-error.js';
import { hash } from './hash.js';
import { verifyEd25519 } from './verify-ed25519.js';

/** Intent of a transaction: scope, version and application, all zero. */
const INTENT = new Uint8Array(3);
/** Bytes of a serialized signature by its flag: the flag, the signature and the public key. Other schemes vary in length. */
const LENGTHS = [97, 98, 98];
const MOVE_AUTHENTICATOR = 7;
const UNVERIFIED = 'Fail to verify user sig Invalid signature was given to the function';

/** Throws -32602 for input that a node cannot read as signatures. */
export function checkReadable(signatures: readonly string[]): void {
  for (const [index, signature] of signatures.entries()) {
    const bytes = decode(signature);
    if (bytes === null) {
      const column = JSON.stringify(signatures.slice(0, index + 1)).length;
      const reason = `Invalid value was given to the function at line 1 column ${column}`;
      throw new EngineError(-32602, `Invalid params: ${reason}`);
    }
    const flag = bytes[0] ?? Infinity;
    if (flag > MOVE_AUTHENTICATOR || bytes.length !== (LENGTHS[flag] ?? bytes.length)) {
      throw new EngineError(-32602, 'Invalid signature was given to the function');
    }
  }
}

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
        (await verifyEd25519(message, decode(signature)!)) ?? authorOf(bytes, signature),
    ),
  );
  for (const signer of signers) {
    if (!found.includes(signer)) {
      throw invalid(`Required Signature from ${signer} is absent ${JSON.stringify(found)}`);
    }
  }
}

async function authorOf(bytes: Uint8Array, signature: string): Promise<string> {
  // Verifying a Move account's signature requires running Move code.
  const flag = decode(signature)![0]!;
  if (flag === MOVE_AUTHENTICATOR) {
    throw invalid('Signature is not valid: Move authenticators are not supported');
  }
  try {
    return (await verifyTransactionSignature(bytes, signature)).toIotaAddress();
  } catch (error) {
    const reason = flag < LENGTHS.length ? UNVERIFIED : (error as Error).message;
    throw invalid(`Signature is not valid: ${reason}`);
  }
}

/** Null: malformed base64. */
function decode(signature: string): Uint8Array | null {
  try {
    return fromBase64(signature);
  } catch {
    return null;
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
