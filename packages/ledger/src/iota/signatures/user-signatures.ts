import { bcs } from '@iota/iota-sdk/bcs';
import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { SharedInput } from '../../decoded-transaction.js';
import type { AbstractAccount } from '../../ledger.js';
import type { ObjectReference } from '../../object-reference.js';
import { BoundedReader } from './bounded-reader.js';

const { ED25519, MultiSig, MoveAuthenticator } = SIGNATURE_SCHEME_TO_FLAG;

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
