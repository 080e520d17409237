import { create } from '@bufbuild/protobuf';
import { type Object$ as NodeObject, ObjectSchema } from '@forecourt/node-messages';
import { bcs, TypeTagSerializer } from '@iota/iota-sdk/bcs';
import { fromBase58 } from '@iota/iota-sdk/utils';
import type { ObjectRecord, ObjectReference, Owner } from '../engine/engine-interface.js';
import { fromHexId } from '../engine/hash.js';

/** Frequent types have a short form, which they must use. */
const MoveObjectType = bcs.enum('MoveObjectType', {
  Other: bcs.StructTag,
  GasCoin: null,
  StakedIota: null,
  Coin: bcs.TypeTag,
});

const ObjectData = bcs.enum('ObjectData', {
  Struct: bcs.struct('MoveStruct', {
    type: MoveObjectType,
    version: bcs.u64(),
    contents: bcs.byteVector(),
  }),
  Package: bcs.struct('MovePackage', {
    id: bcs.Address,
    version: bcs.u64(),
    modules: bcs.map(bcs.string(), bcs.byteVector()),
    typeOrigins: bcs.vector(bcs.Address),
    linkage: bcs.vector(bcs.Address),
  }),
});

const LedgerObject = bcs.struct('Object', {
  data: ObjectData,
  owner: bcs.Owner,
  previousTransaction: bcs.ObjectDigest,
  storageRebate: bcs.u64(),
});

const GAS_COIN = '0x2::coin::Coin<0x2::iota::IOTA>';
const COIN = '0x2::coin::Coin<';

/** An object with its reference and its BCS; `modules` are the names of a package's modules. */
export function encodeObject(object: ObjectRecord, modules: readonly string[]): NodeObject {
  const { objectId, version, contents, owner, previousTransaction, storageRebate } = object;
  const data =
    object.type === 'package'
      ? {
          Package: {
            id: objectId,
            version,
            // The engine does not keep the code of modules.
            modules: new Map(modules.map((name) => [name, new Uint8Array(0)])),
            typeOrigins: [],
            linkage: [],
          },
        }
      : { Struct: { type: encodeType(object.type), version, contents } };
  const bytes = LedgerObject.serialize({
    data,
    owner: encodeOwner(owner),
    previousTransaction,
    storageRebate,
  }).toBytes();
  return create(ObjectSchema, {
    reference: encodeReference(object.reference),
    bcs: { data: bytes },
  });
}

export function encodeReference({ objectId, version, digest }: ObjectReference) {
  return {
    objectId: { objectId: fromHexId(objectId) },
    version: BigInt(version),
    digest: { digest: fromBase58(digest) },
  };
}

export function encodeOwner(owner: Owner): typeof bcs.Owner.$inferInput {
  if (owner === 'Immutable') return { Immutable: true };
  if ('Shared' in owner) {
    return { Shared: { initialSharedVersion: owner.Shared.initial_shared_version } };
  }
  return owner;
}

function encodeType(type: string): typeof MoveObjectType.$inferInput {
  if (type === GAS_COIN) return { GasCoin: true };
  if (type === '0x3::staking_pool::StakedIota') return { StakedIota: true };
  if (type.startsWith(COIN)) return { Coin: type.slice(COIN.length, -1) };
  return { Other: encodeStruct(type) };
}

export function encodeStruct(type: string): typeof bcs.StructTag.$inferInput {
  const tag = TypeTagSerializer.parseFromStr(type, true);
  if (!('struct' in tag)) throw new TypeError(`${type} is no struct`);
  return tag.struct;
}
