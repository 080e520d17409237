import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import {
  decodeIotaPrivateKey,
  type Keypair,
  type SignatureScheme,
} from '@iota/iota-sdk/cryptography';
import { Ed25519Keypair, Ed25519PublicKey } from '@iota/iota-sdk/keypairs/ed25519';
import { Secp256k1Keypair, Secp256k1PublicKey } from '@iota/iota-sdk/keypairs/secp256k1';
import { Secp256r1Keypair } from '@iota/iota-sdk/keypairs/secp256r1';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { transactionIntentDigest } from './iota/transactions/decoding/decode-transaction.js';
import { buildProbe } from './iota/transactions/build-transactions.js';

/** Signs for one sponsor. Implementations never reveal or log the key. */
export interface Signer {
  /** The sponsor's address, full form. */
  readonly address: string;
  /** The places of its key, in the order in which they are used: `local`, or the kind of a key service. */
  readonly kinds: readonly string[];
  /** While no place of the key signs: the time in ms until the signer tries again; null: a place signs. */
  readonly outageMs: number | null;
  /** Signatures that services make at the moment: they take no time of this process. */
  readonly inFlight: number;
  /**
   * Base64 of `flag‖signature‖public key` over the transaction's intent digest. Two signatures over the same bytes may
   * differ; the transaction's digest does not depend on them. Throws `SigningFailed`.
   */
  signTransaction(bytes: Uint8Array): Promise<string>;
  /**
   * Signs a transaction that can never land, at every place of the key; with `idleMs` only at those that have not signed for
   * this long, or have failed since. Throws `SigningFailed` when none can sign.
   */
  check(idleMs?: number): Promise<void>;
}

/** Why a place of the key has not signed. */
export const signingFaults = [
  'unreachable',
  'timeout',
  'throttled',
  /** Too many signatures are in flight. */
  'overloaded',
  /** The service denies the request. */
  'refused',
  'malformed',
  'wrong_key',
  'wrong_signature',
  'high_s',
] as const;
export type SigningFault = (typeof signingFaults)[number];

/** A sponsor's key cannot sign at the moment. Nothing was signed that this process will submit. */
export class SigningFailed extends Error {
  override readonly name = 'SigningFailed';

  /** `signer`: names the place of the key, without secrets. `retryAfterMs`: when it may be asked again. */
  constructor(
    readonly signer: string,
    readonly fault: SigningFault,
    detail: string,
    readonly retryAfterMs: number,
  ) {
    super(`Signer ${signer} has not signed (${fault}): ${detail}`);
  }
}

const SCHEMES: Readonly<Record<number, SignatureScheme>> = {
  0: 'ED25519',
  1: 'Secp256k1',
  2: 'Secp256r1',
};
/** DER of a PKCS #8 private key up to the 32 bytes of an Ed25519 seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * A signer with a key given as text: base64 of `flag‖key`, or bech32 (`iotaprivkey1…`). Throws
 * `TypeError` for any other text; the message never contains the text.
 */
export function createLocalSigner(secret: string): Signer {
  const { scheme, key } = parseSecret(secret.trim());
  const keypair = createKeypair(scheme, key);
  return scheme === 'ED25519' ? new OpensslSigner(keypair, key) : new SdkSigner(keypair);
}

function parseSecret(secret: string): { scheme: SignatureScheme; key: Uint8Array } {
  try {
    if (secret.startsWith('iotaprivkey1')) {
      const { schema, secretKey } = decodeIotaPrivateKey(secret);
      return { scheme: schema, key: secretKey };
    }
    const bytes = fromBase64(secret);
    const scheme = SCHEMES[bytes[0] ?? -1];
    if (scheme && bytes.length === 33) return { scheme, key: bytes.slice(1) };
  } catch {
    // The causes quote the text; the error below does not.
  }
  throw new TypeError(
    'a sponsor key must be base64 of flag‖key (33 bytes) or bech32 (iotaprivkey1…)',
  );
}

function createKeypair(scheme: SignatureScheme, key: Uint8Array): Keypair {
  switch (scheme) {
    case 'ED25519':
      return Ed25519Keypair.fromSecretKey(key);
    case 'Secp256k1':
      return Secp256k1Keypair.fromSecretKey(key);
    case 'Secp256r1':
      return Secp256r1Keypair.fromSecretKey(key);
    default:
      throw new TypeError(`sponsor keys of scheme ${scheme} are not supported`);
  }
}

class SdkSigner implements Signer {
  readonly address: string;
  readonly kinds = ['local'] as const;
  readonly outageMs = null;
  readonly inFlight = 0;
  readonly #keypair: Keypair;

  constructor(keypair: Keypair) {
    this.#keypair = keypair;
    this.address = keypair.toIotaAddress();
  }

  async signTransaction(bytes: Uint8Array): Promise<string> {
    return (await this.#keypair.signTransaction(bytes)).signature;
  }

  async check(): Promise<void> {
    await this.signTransaction(await buildProbe(this.address));
  }
}

/** Ed25519 by OpenSSL: the same signature as the SDK's in a tenth of the time. */
class OpensslSigner extends SdkSigner {
  readonly #key: KeyObject;
  readonly #publicKey: Uint8Array;

  constructor(keypair: Keypair, seed: Uint8Array) {
    super(keypair);
    const der = Buffer.concat([PKCS8_PREFIX, seed]);
    this.#key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    this.#publicKey = keypair.getPublicKey().toRawBytes();
  }

  override async signTransaction(bytes: Uint8Array): Promise<string> {
    const signature = sign(null, transactionIntentDigest(bytes), this.#key);
    return Buffer.concat([Buffer.of(0), signature, this.#publicKey]).toString('base64');
  }
}

/** Schemes of keys in services. */
export type KeyScheme = 'ED25519' | 'Secp256k1';

const FLAGS = { ED25519: 0, Secp256k1: 1 } as const satisfies Record<KeyScheme, number>;
const SIGNATURE_BYTES = 64;
/** DER of a SubjectPublicKeyInfo up to the bytes of a key: 32 of Ed25519, 33 of a compressed point. */
const SPKI_PREFIXES = {
  ED25519: Buffer.from('302a300506032b6570032100', 'hex'),
  Secp256k1: Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex'),
} as const satisfies Record<KeyScheme, Buffer>;
const KEY_BYTES = { ED25519: 32, Secp256k1: 33 } as const satisfies Record<KeyScheme, number>;
/** Half of the order of secp256k1: of the two forms of a signature, the ledger accepts the one with the smaller s. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The public key of a sponsor whose private key a service holds. */
export class SponsorPublicKey {
  readonly address: string;

  constructor(
    readonly scheme: KeyScheme,
    /** As the ledger writes it. */
    readonly raw: Uint8Array,
    private readonly key: KeyObject,
  ) {
    const Key = scheme === 'ED25519' ? Ed25519PublicKey : Secp256k1PublicKey;
    this.address = new Key(raw).toIotaAddress();
  }

  /** Why a signature (`r‖s`, or Ed25519's 64 bytes) over an intent digest must not be submitted; null: it may. */
  findFault(
    digest: Uint8Array,
    signature: Uint8Array,
  ): 'malformed' | 'high_s' | 'wrong_signature' | null {
    if (signature.length !== SIGNATURE_BYTES) return 'malformed';
    if (this.scheme === 'ED25519') {
      return verify(null, digest, this.key, signature) ? null : 'wrong_signature';
    }
    if (hasHighS(signature)) return 'high_s';
    const key = { key: this.key, dsaEncoding: 'ieee-p1363' } as const;
    return verify('sha256', digest, key, signature) ? null : 'wrong_signature';
  }

  /** Base64 of `flag‖signature‖public key`. */
  serialize(signature: Uint8Array): string {
    const flag = Buffer.of(FLAGS[this.scheme]);
    return Buffer.concat([flag, signature, this.raw]).toString('base64');
  }
}

/** Whether `r‖s` is the form that the ledger refuses. */
function hasHighS(signature: Uint8Array): boolean {
  return BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`) > HALF_ORDER;
}

/** Reads the DER of a SubjectPublicKeyInfo. Throws `TypeError` for other keys than Ed25519 and secp256k1. */
export function readSpki(der: Uint8Array): SponsorPublicKey {
  return readKey(() => createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }));
}

/** Reads a JSON Web Key. Throws as `readSpki`. */
export function readJwk(jwk: JsonWebKey): SponsorPublicKey {
  return readKey(() => createPublicKey({ key: jwk, format: 'jwk' }));
}

/** Reads a key as the ledger writes it; `scheme`: also its flag. Throws as `readSpki`. */
export function readRawKey(scheme: KeyScheme | number, raw: Uint8Array): SponsorPublicKey {
  const schemes: readonly (KeyScheme | undefined)[] = ['ED25519', 'Secp256k1'];
  const named = typeof scheme === 'number' ? schemes[scheme] : scheme;
  if (named === undefined || raw.length !== KEY_BYTES[named]) throw unsupported();
  return readSpki(Buffer.concat([SPKI_PREFIXES[named], raw]));
}

function readKey(parse: () => KeyObject): SponsorPublicKey {
  let key: KeyObject;
  try {
    key = parse();
  } catch {
    throw unsupported();
  }
  if (key.asymmetricKeyType === 'ed25519') {
    const { x } = key.export({ format: 'jwk' });
    return new SponsorPublicKey('ED25519', Buffer.from(x!, 'base64url'), key);
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'secp256k1') throw unsupported();
  const { x, y } = key.export({ format: 'jwk' });
  const isOdd = (Buffer.from(y!, 'base64url').at(-1)! & 1) === 1;
  const point = Buffer.concat([Buffer.of(isOdd ? 3 : 2), Buffer.from(x!, 'base64url')]);
  return new SponsorPublicKey('Secp256k1', point, key);
}

function unsupported(): TypeError {
  return new TypeError('not a public key of Ed25519 or secp256k1');
}
