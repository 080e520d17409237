import type { bcs } from '@iota/iota-sdk/bcs';
import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { readStructText, readTypeText, shortIfFramework } from './type-texts.js';

export const GAS_TYPE = '0x2::iota::IOTA';
const STAKED_IOTA = '0x3::staking_pool::StakedIota';
const ID_BYTES = 32;
const BALANCE_BYTES = 8;
/** An id and a version. */
const UPGRADE_BYTES = ID_BYTES + 8;

/** An object as a node stores it. */
export interface StoredObject {
  readonly objectId: string;
  /** Decimal. */
  readonly version: string;
  /** Move type as nodes write it, or `package`. */
  readonly type: string;
  readonly owner: Owner;
  readonly previousTransaction: string;
  /** The currency of a coin; of other objects null. */
  readonly coinType: string | null;
  /** Of a coin, in its smallest unit; of other objects null. */
  readonly balance: bigint | null;
  /** The names of a package's modules in alphabetical order; of other objects none. */
  readonly modules: readonly string[];
}

type Data = Omit<StoredObject, 'owner' | 'previousTransaction'>;

/** Throws `Error` for bytes that are not an object. */
export function readObjectBcs(bytes: Uint8Array): StoredObject {
  const reader = new StrictReader(bytes);
  // Over gRPC, values without a version in themselves have one in front.
  reader.readVariant(1, 'VersionedObject');
  const isPackage = reader.readVariant(2, 'Data') === 1;
  const data = isPackage ? readPackage(reader) : readMoveObject(reader);
  const owner = readOwner(reader);
  const previousTransaction = reader.readDigest();
  // The storage deposit.
  reader.readU64();
  reader.expectEnd();
  return { ...data, owner, previousTransaction };
}

function readMoveObject(reader: StrictReader): Data {
  const { type, coinType } = readObjectType(reader);
  const version = String(reader.readU64());
  // Every object begins with its id; a coin continues with its balance.
  const length = reader.readLength();
  const objectId = reader.readAddress();
  const balance = coinType === null ? null : reader.readU64();
  const rest = length - ID_BYTES - (balance === null ? 0 : BALANCE_BYTES);
  if (rest < 0) throw new Error(`the contents of ${objectId} are too short`);
  reader.skip(rest);
  return { objectId, version, type, coinType, balance, modules: [] };
}

/** Frequent types have a short form. */
function readObjectType(reader: StrictReader): Pick<Data, 'type' | 'coinType'> {
  switch (reader.readVariant(4, 'MoveObjectType')) {
    case 0:
      return { type: readStructText(reader, shortIfFramework), coinType: null };
    case 1:
      return coin(GAS_TYPE);
    case 2:
      return { type: STAKED_IOTA, coinType: null };
    default:
      return coin(readTypeText(reader, shortIfFramework));
  }
}

function coin(coinType: string): Pick<Data, 'type' | 'coinType'> {
  return { type: `0x2::coin::Coin<${coinType}>`, coinType };
}

function readPackage(reader: StrictReader): Data {
  const objectId = reader.readAddress();
  const version = String(reader.readU64());
  const modules: string[] = [];
  for (let left = reader.readLength(); left > 0; left--) {
    modules.push(reader.readText());
    reader.skipBytes();
  }
  // The packages that its types come from, and those that it is linked with.
  for (let left = reader.readLength(); left > 0; left--) {
    reader.skipBytes();
    reader.skipBytes();
    reader.skip(ID_BYTES);
  }
  for (let left = reader.readLength(); left > 0; left--) reader.skip(ID_BYTES + UPGRADE_BYTES);
  // In BCS, shorter names come first.
  return {
    objectId,
    version,
    type: 'package',
    coinType: null,
    balance: null,
    modules: modules.sort(),
  };
}

export type Owner = typeof bcs.Owner.$inferType;

/** Throws `Error` for bytes that are not an owner. */
export function readOwner(reader: StrictReader): Owner {
  switch (reader.readVariant(4, 'Owner')) {
    case 0:
      return { $kind: 'AddressOwner', AddressOwner: reader.readAddress() };
    case 1:
      return { $kind: 'ObjectOwner', ObjectOwner: reader.readAddress() };
    case 2:
      return { $kind: 'Shared', Shared: { initialSharedVersion: String(reader.readU64()) } };
    default:
      return { $kind: 'Immutable', Immutable: true };
  }
}

/** An owner in the JSON of nodes. */
export function showOwner(owner: Owner): unknown {
  if (owner.$kind === 'Immutable') return 'Immutable';
  if (owner.$kind === 'AddressOwner') return { AddressOwner: owner.AddressOwner };
  if (owner.$kind === 'ObjectOwner') return { ObjectOwner: owner.ObjectOwner };
  return { Shared: { initial_shared_version: Number(owner.Shared.initialSharedVersion) } };
}
