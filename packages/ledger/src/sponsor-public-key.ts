import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { Ed25519PublicKey } from '@iota/iota-sdk/keypairs/ed25519';
import { Secp256k1PublicKey } from '@iota/iota-sdk/keypairs/secp256k1';

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
/**
 * Half of the order of secp256k1: of the two forms of a signature, the ledger accepts the one with the
 * smaller s.
 */
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

  /**
   * Why a signature (`r‖s`, or Ed25519's 64 bytes) over an intent digest must not be submitted; null: it may.
   */
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
