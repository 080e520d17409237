import { bcs, TypeTagSerializer } from '@iota/iota-sdk/bcs';
import { normalizeStructTag } from '@iota/iota-sdk/utils';

/** The type of a Move object: frequent types have a short form. */
const MoveObjectType = bcs.enum('MoveObjectType', {
  Other: bcs.StructTag,
  GasCoin: null,
  StakedIota: null,
  Coin: bcs.TypeTag,
});

const MoveObject = bcs.struct('MoveObject', {
  type: MoveObjectType,
  version: bcs.u64(),
  contents: bcs.byteVector(),
});

const TypeOrigin = bcs.struct('TypeOrigin', {
  moduleName: bcs.string(),
  datatypeName: bcs.string(),
  package: bcs.Address,
});

const MovePackage = bcs.struct('MovePackage', {
  id: bcs.Address,
  version: bcs.u64(),
  modules: bcs.map(bcs.string(), bcs.byteVector()),
  typeOrigins: bcs.vector(TypeOrigin),
  linkage: bcs.map(
    bcs.Address,
    bcs.struct('UpgradeInfo', { upgradedId: bcs.Address, upgradedVersion: bcs.u64() }),
  ),
});

const LedgerObject = bcs.struct('Object', {
  data: bcs.enum('Data', { Struct: MoveObject, Package: MovePackage }),
  owner: bcs.Owner,
  previousTransaction: bcs.ObjectDigest,
  storageRebate: bcs.u64(),
});
/** Over gRPC, values without a version in themselves have one in front. */
const VersionedObject = bcs.enum('VersionedObject', { V1: LedgerObject });

const COIN_TYPE = '0x2::coin::Coin';
const GAS_COIN = `${COIN_TYPE}<0x2::iota::IOTA>`;
const STAKED_IOTA = '0x3::staking_pool::StakedIota';
/** A coin is its id followed by its balance. */
const ID_BYTES = 32;

/** An object as a node stores it. */
export interface StoredObject {
  /** Move type in short form, or `package`. */
  readonly type: string;
  readonly owner: typeof bcs.Owner.$inferType;
  readonly previousTransaction: string;
  /** Of a gas coin, in the smallest unit; of other objects null. */
  readonly balance: bigint | null;
}

/** Throws `Error` for bytes that are no object. */
export function readObjectBcs(bytes: Uint8Array): StoredObject {
  const { data, owner, previousTransaction } = VersionedObject.parse(bytes).V1;
  if (data.$kind === 'Package')
    return { type: 'package', owner, previousTransaction, balance: null };
  const type = typeOf(data.Struct.type);
  const balance = type === GAS_COIN ? readBalance(data.Struct.contents) : null;
  return { type, owner, previousTransaction, balance };
}

function typeOf(type: typeof MoveObjectType.$inferType): string {
  switch (type.$kind) {
    case 'GasCoin':
      return GAS_COIN;
    case 'StakedIota':
      return STAKED_IOTA;
    case 'Coin':
      return `${COIN_TYPE}<${type.Coin}>`;
    default:
      return normalizeStructTag(TypeTagSerializer.tagToString({ struct: type.Other }));
  }
}

function readBalance(contents: Uint8Array): bigint {
  return Buffer.from(contents).readBigUInt64LE(ID_BYTES);
}

/** An owner in the JSON of nodes. */
export function showOwner(owner: typeof bcs.Owner.$inferType): unknown {
  if (owner.$kind === 'Immutable') return 'Immutable';
  if (owner.$kind === 'AddressOwner') return { AddressOwner: owner.AddressOwner };
  if (owner.$kind === 'ObjectOwner') return { ObjectOwner: owner.ObjectOwner };
  return { Shared: { initial_shared_version: Number(owner.Shared.initialSharedVersion) } };
}
