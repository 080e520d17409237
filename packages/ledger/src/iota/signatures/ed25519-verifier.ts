import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { toHex } from '@iota/iota-sdk/utils';
import { hash } from '../transactions/decoding/transaction-digest.js';

const SIGNATURE_START = 1;
const PUBLIC_KEY_START = 65;
const SERIALIZED_LENGTH = 97;
/** DER of a SubjectPublicKeyInfo up to the 32 bytes of an Ed25519 key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

interface KnownKey {
  readonly key: KeyObject;
  readonly address: string;
}

/**
 * Verifies Ed25519 with OpenSSL, an order of magnitude faster than in JavaScript. Keys are cached;
 * the least recently used are dropped.
 */
export class Ed25519Verifier {
  readonly #keys = new Map<string, KnownKey>();

  constructor(private readonly keptKeys = 10_000) {}

  /**
   * Whether `serialized` (`flag‖signature‖public key`) is `signer`'s over `message`. Also false
   * where OpenSSL is stricter than the ledger.
   */
  verify(message: Uint8Array, serialized: Uint8Array, signer: string): boolean {
    if (serialized.length !== SERIALIZED_LENGTH) return false;
    const known = this.keyOf(serialized.subarray(PUBLIC_KEY_START));
    if (known === null || known.address !== signer) return false;
    return verify(null, message, known.key, serialized.subarray(SIGNATURE_START, PUBLIC_KEY_START));
  }

  private keyOf(publicKey: Uint8Array): KnownKey | null {
    const name = Buffer.from(publicKey).toString('latin1');
    const known = this.#keys.get(name) ?? makeKey(publicKey);
    if (known === null) return null;
    this.#keys.delete(name);
    this.#keys.set(name, known);
    if (this.#keys.size > this.keptKeys) {
      const [oldest] = this.#keys.keys();
      this.#keys.delete(oldest!);
    }
    return known;
  }
}

/** IOTA's address of an Ed25519 key is the hash of the key alone; other schemes hash their flag with it. */
function makeKey(publicKey: Uint8Array): KnownKey | null {
  try {
    const der = Buffer.concat([SPKI_PREFIX, publicKey]);
    return {
      key: createPublicKey({ key: der, format: 'der', type: 'spki' }),
      address: `0x${toHex(hash(publicKey))}`,
    };
  } catch {
    return null;
  }
}
