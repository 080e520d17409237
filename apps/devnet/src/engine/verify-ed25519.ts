import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { hash } from './hash.js';
import { toHexId } from './hex.js';

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
 * The signing address if OpenSSL accepts `flag ‖ signature ‖ public key` over `message`, else null. OpenSSL may
 * refuse edge cases that the ledger accepts, so null needs a second check. Runs off the main thread, where it would
 * be the larger part of a transaction's cost.
 */
export async function verifyEd25519(
  message: Uint8Array,
  serialized: Uint8Array,
): Promise<string | null> {
  if (serialized.length !== 97 || serialized[0] !== 0) return null;
  const { key, address } = signerOf(serialized.subarray(65));
  if (!key) return null;
  return (await verifyAsync(null, message, key, serialized.subarray(1, 65))) ? address : null;
}
