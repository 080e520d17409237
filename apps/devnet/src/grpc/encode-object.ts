import { create } from '@bufbuild/protobuf';
import { type Object$ as NodeObject, ObjectSchema } from '@forecourt/ledger/node-messages';
import { fromBase58 } from '@iota/iota-sdk/utils';
import type { ObjectRecord, ObjectReference } from '../engine/engine-interface.js';
import { fromHexId } from '../engine/hash.js';

/** An object with its reference and its BCS. */
export function encodeObject(object: ObjectRecord): NodeObject {
  return create(ObjectSchema, {
    reference: encodeReference(object.reference),
    bcs: { data: versioned(object.bcs) },
  });
}

function encodeReference({ objectId, version, digest }: ObjectReference) {
  return {
    objectId: { objectId: fromHexId(objectId) },
    version: BigInt(version),
    digest: { digest: fromBase58(digest) },
  };
}

/**
 * Nodes put a version in front of the BCS of values that have none in themselves; there is only version 1.
 */
export function versioned(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(0), bytes]);
}
