import { bcs } from '@iota/iota-sdk/bcs';
import { SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { AbstractAccount } from '../../ledger-codec.js';
import type { SharedInput } from '../../decoded-transaction.js';
import type { ObjectReference } from '../../object-reference.js';
import { BoundedReader } from '../transactions/decoding/bounded-reader.js';

/** Objects that an authenticator may name, each of which costs a look-up. */
const MAX_OBJECTS = 16;
const { MoveAuthenticator } = SIGNATURE_SCHEME_TO_FLAG;

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
