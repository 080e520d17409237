import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { findExpense, gatewayLimits, TokenBuckets } from '@forecourt/resilience';
import { BcsReader } from '@iota/bcs';
import { bcs } from '@iota/iota-sdk/bcs';
import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';
import { normalizeIotaAddress, toHex } from '@iota/iota-sdk/utils';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import type { SharedInput } from '../../decoded-transaction.js';
import type { AbstractAccount } from '../../ledger.js';
import type { ObjectReference } from '../../object-reference.js';
import { hash, transactionIntentDigest } from '../transactions/decoding/transaction-digest.js';

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

/** Largest number of members of a multisig. */
const MAX_MEMBERS = 10;

/** Number of signatures in a user's (base64) that are verified in JavaScript, at some milliseconds each. */
export function countSlowVerifications(signature: string): number {
  const [scheme, members = 0] = Buffer.from(signature.slice(0, 4), 'base64');
  if (scheme === ED25519) return 0;
  return scheme === MultiSig ? Math.min(Math.max(members, 1), MAX_MEMBERS) : 1;
}

/** Ed25519, Secp256k1 and Secp256r1: one byte and 64 of the signature. */
const KNOWN_MEMBERS = 3;
const MEMBER_LENGTH = 65;
const FIRST_MEMBER = 2;

/** See `Ledger.unsupportedSignature`. */
export function findUnsupportedScheme(signature: string): string | null {
  const raw = Buffer.from(signature, 'base64');
  if (raw[0] === MoveAuthenticator) {
    return 'abstract accounts (MoveAuthenticator) are not allowed here: neither ALLOW_ABSTRACT_ACCOUNTS nor an access rule allows them';
  }
  if (raw[0] === MultiSig && hasUnknownMember(raw)) {
    return 'a multisig with members other than Ed25519, Secp256k1 and Secp256r1, such as a passkey, is not supported';
  }
  return null;
}

function hasUnknownMember(raw: Uint8Array): boolean {
  const members = raw[1] ?? 0;
  for (let member = 0; member < members; member++) {
    const scheme = raw[FIRST_MEMBER + member * MEMBER_LENGTH];
    if (scheme === undefined) return false;
    // The next one's position is unknown after it.
    if (scheme >= KNOWN_MEMBERS) return true;
  }
  return false;
}

/** Objects that an authenticator may name, each of which costs a look-up. */
const MAX_OBJECTS = 16;

/** See `Ledger.abstractAccount`. */
export function readAbstractAccount(signature: string): AbstractAccount | null {
  if (!isOfAbstractAccount(signature)) return null;
  const raw = Buffer.from(signature, 'base64');
  try {
    const { V1: content } = bcs.MoveAuthenticator.read(new BoundedReader(raw.subarray(1)));
    const { objectToAuthenticate, callArgs } = content;
    const objects = [objectToAuthenticate, ...callArgs].flatMap(({ Object: one }) => one ?? []);
    if (!objectToAuthenticate.Object || objects.length > MAX_OBJECTS) return null;
    const immutable: ObjectReference[] = [];
    const shared: SharedInput[] = [];
    for (const { ImmOrOwnedObject: fixed, SharedObject: common } of objects) {
      if (fixed) immutable.push({ ...fixed, version: Number(fixed.version) });
      else if (common) {
        const initialSharedVersion = Number(common.initialSharedVersion);
        shared.push({ ...common, initialSharedVersion });
      } else return null;
    }
    const { ImmOrOwnedObject: fixed, SharedObject: common } = objectToAuthenticate.Object;
    const { objectId } = (fixed ?? common)!;
    return { address: normalizeIotaAddress(objectId), immutable, shared };
  } catch {
    return null;
  }
}

/** Whether an authenticator signs, which only nodes can verify. */
export function isOfAbstractAccount(signature: string): boolean {
  return Buffer.from(signature.slice(0, 4), 'base64')[0] === MoveAuthenticator;
}

/**
 * The innermost element is counted once for each list around it, and an enum's index is counted
 * like a length.
 */
const DECLARED_PER_BYTE = 16;

/**
 * Reads untrusted BCS. The SDK allocates as many elements as a length claims before it reads the first: a few
 * bytes could claim gigabytes. This reader bounds the sum of all lengths by the number of bytes.
 */
export class BoundedReader extends BcsReader {
  #left: number;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#left = DECLARED_PER_BYTE * bytes.length;
  }

  override readULEB(): number {
    const value = super.readULEB();
    this.#left -= value;
    if (this.#left < 0) throw new Error('declared length exceeds the input');
    return value;
  }
}
