import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { authenticateAccount } from './authenticate-account.js';
import { hash, toHexId } from './hash.js';
import { EngineError, refuse } from './engine-error.js';
import type { ObjectStore } from './object-store.js';

const verifyAsync = promisify(verify);
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

interface Signer {
  readonly key: KeyObject | null;
  readonly address: string;
}

const signers = new LRUCache<string, Signer>({ max: 50_000 });

/** Key object and address of a public key; cached, because creating them costs as much as a verification. */
function signerOf(publicKey: Uint8Array): Signer {
  const name = Buffer.from(publicKey).toString('latin1');
  let signer = signers.get(name);
  if (!signer) {
    signer = { key: keyObject(publicKey), address: toHexId(hash(publicKey)) };
    signers.set(name, signer);
  }
  return signer;
}

function keyObject(publicKey: Uint8Array): KeyObject | null {
  try {
    const der = Buffer.concat([SPKI_PREFIX, publicKey]);
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/**
 * The signing address if OpenSSL accepts `flag ‖ signature ‖ public key` over `message`, else null. OpenSSL
 * may refuse edge cases that the ledger accepts, so null needs a second check. Runs off the main thread,
 * where it would be the larger part of a transaction's cost.
 */
async function verifyEd25519(message: Uint8Array, serialized: Uint8Array): Promise<string | null> {
  if (serialized.length !== 97 || serialized[0] !== 0) return null;
  const { key, address } = signerOf(serialized.subarray(65));
  if (!key) return null;
  return (await verifyAsync(null, message, key, serialized.subarray(1, 65))) ? address : null;
}

/** Intent of a transaction: scope, version and application, all zero. */
const INTENT = new Uint8Array(3);
/**
 * Bytes of a serialized signature by its flag: the flag, the signature and the public key. Other schemes vary
 * in length.
 */
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

/**
 * Requires exactly one valid signature of each signer, in any order. Throws `EngineError` with the node's
 * message otherwise. `store` has the accounts that authorise transactions.
 */
export async function verifySignatures(
  bytes: Uint8Array,
  signatures: readonly string[],
  signers: readonly string[],
  store: Pick<ObjectStore, 'latest'>,
): Promise<void> {
  if (signatures.length !== signers.length) {
    throw invalid(`Expect ${signers.length} signer signatures but got ${signatures.length}`);
  }
  const message = intentDigest(bytes);
  const authors = await Promise.all(
    signatures.map(
      async (signature) =>
        (await verifyEd25519(message, decode(signature)!)) ?? authorOf(bytes, signature, store),
    ),
  );
  for (const signer of signers) {
    if (!authors.includes(signer)) {
      throw invalid(
        `Required Signature from ${signer} is absent ${JSON.stringify(authors).replaceAll(',', ', ')}`,
      );
    }
  }
}

/** Number of signatures that are authenticators of abstract accounts. */
export function countAuthenticators(signatures: readonly string[]): bigint {
  const flags = signatures.map((signature) => decode(signature)?.[0]);
  return BigInt(flags.filter((flag) => flag === MOVE_AUTHENTICATOR).length);
}

async function authorOf(
  bytes: Uint8Array,
  signature: string,
  store: Pick<ObjectStore, 'latest'>,
): Promise<string> {
  const raw = decode(signature)!;
  const flag = raw[0]!;
  try {
    if (flag === MOVE_AUTHENTICATOR) return authenticateAccount(store, raw.subarray(1));
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
