import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createLocalSigner, type Signer } from '@forecourt/ledger';
import type { Keypair } from '@iota/iota-sdk/cryptography';
import { decodeIotaPrivateKey } from '@iota/iota-sdk/cryptography';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { secp256k1 } from '@noble/curves/secp256k1';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const COMPRESSED_PREFIX = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex');

export type HeldScheme = 'ed25519' | 'secp256k1';

/**
 * A key that a key server holds. Ed25519 is signed by OpenSSL: a benchmark's key server has to cost little.
 */
export class HeldKey {
  readonly address: string;
  readonly #signer: Signer;
  readonly #ed25519: KeyObject | null;

  constructor(
    readonly scheme: HeldScheme,
    readonly keypair: Keypair = scheme === 'ed25519'
      ? new Ed25519Keypair()
      : new Secp256k1Keypair(),
  ) {
    this.address = keypair.toIotaAddress();
    const secret = keypair.getSecretKey();
    this.#signer = createLocalSigner(secret);
    this.#ed25519 = scheme === 'ed25519' ? toKeyObject(secret) : null;
  }

  /** As the ledger writes it. */
  get raw(): Uint8Array {
    return this.keypair.getPublicKey().toRawBytes();
  }

  /** DER of its SubjectPublicKeyInfo, as services answer it: a point is not compressed. */
  get spki(): Buffer {
    if (this.scheme === 'secp256k1') {
      const der = Buffer.concat([COMPRESSED_PREFIX, this.raw]);
      const { x, y } = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({
        format: 'jwk',
      });
      const key = { kty: 'EC', crv: 'secp256k1', x: x!, y: y! };
      return createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' });
    }
    return createPublicKey(this.#ed25519!).export({ format: 'der', type: 'spki' });
  }

  get pem(): string {
    const key = createPublicKey({ key: this.spki, format: 'der', type: 'spki' });
    return key.export({ format: 'pem', type: 'spki' }) as string;
  }

  get jwk() {
    return createPublicKey({ key: this.spki, format: 'der', type: 'spki' }).export({
      format: 'jwk',
    });
  }

  /** `r‖s` with the smaller s over a hash. */
  signHash(hash: Uint8Array): Uint8Array {
    const { secretKey } = decodeIotaPrivateKey(this.keypair.getSecretKey());
    return secp256k1.sign(hash, secretKey, { lowS: true }).toCompactRawBytes();
  }

  /** 64 bytes over a message; secp256k1 signs the message's SHA-256. */
  async sign(message: Uint8Array): Promise<Uint8Array> {
    return this.#ed25519 ? sign(null, message, this.#ed25519) : this.keypair.sign(message);
  }

  /** Base64 of `flag‖signature‖public key`. */
  signTransaction(bytes: Uint8Array): Promise<string> {
    return this.#signer.signTransaction(bytes);
  }
}

function toKeyObject(secret: string): KeyObject {
  const { secretKey } = decodeIotaPrivateKey(secret);
  const key = Buffer.concat([SEED_PREFIX, secretKey]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The same signature of secp256k1 with the larger s. */
export function withHighS(signature: Uint8Array): Uint8Array {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`);
  const high = (ORDER - s).toString(16).padStart(64, '0');
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(high, 'hex')]);
}

/** DER of `r‖s`. */
export function toDer(signature: Uint8Array): Buffer {
  const integers = [signature.subarray(0, 32), signature.subarray(32)].map((part) => {
    const value = Buffer.from(part).subarray(part.findIndex((byte) => byte !== 0));
    const padded = value[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), value]) : value;
    return Buffer.concat([Buffer.of(0x02, padded.length), padded]);
  });
  const body = Buffer.concat(integers);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}
