import { bcs, TypeTagSerializer } from '@iota/iota-sdk/bcs';
import { fromBase58 } from '@iota/iota-sdk/utils';
import type { Owner } from './engine-interface.js';
import { fromHexId } from './hash.js';
import { encodeLength } from './move-value.js';
import { coinTypeOf, GAS_COIN } from './type-tag.js';

/** A compiled module of a package. */
export interface PackageModule {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Those that it declares; of published modules, which are not executed, none. */
  readonly types: readonly string[];
}

/** The fields of an object that its digest covers. */
export interface ObjectFields {
  readonly objectId: string;
  readonly version: number;
  /** A Move type, or `package`. */
  readonly type: string;
  readonly contents: Uint8Array;
  /** Of a package. */
  readonly modules: readonly PackageModule[];
  readonly owner: Owner;
  /** Empty for an object that no transaction wrote. */
  readonly previousTransaction: string;
  readonly storageRebate: bigint;
}

const STAKED_IOTA = '0x3::staking_pool::StakedIota';
const NO_DIGEST = new Uint8Array(32);

/**
 * An object in the ledger's BCS, whose hash is its digest. Written by hand: devnet computes it for every
 * object.
 */
export function serializeObject(object: ObjectFields): Uint8Array {
  const { type, version, contents, owner, previousTransaction, storageRebate } = object;
  const data =
    type === 'package'
      ? packageData(object)
      : [Uint8Array.of(0), typeBytes(type), u64(version), encodeLength(contents.length), contents];
  const digest = previousTransaction === '' ? NO_DIGEST : fromBase58(previousTransaction);
  return Buffer.concat([
    ...data,
    ...ownerBytes(owner),
    encodeLength(digest.length),
    digest,
    u64(storageRebate),
  ]);
}

/** The engine does not know which packages are linked. */
function packageData({ objectId, version, modules }: ObjectFields): Uint8Array[] {
  const sorted = modules.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const id = fromHexId(objectId);
  const origins = sorted.flatMap(({ name, types }) =>
    types.map((type) => Buffer.concat([text(name), text(type), id])),
  );
  return [
    Uint8Array.of(1),
    id,
    u64(version),
    encodeLength(sorted.length),
    ...sorted.flatMap(({ name, bytes }) => [text(name), encodeLength(bytes.length), bytes]),
    encodeLength(origins.length),
    ...origins,
    encodeLength(0),
  ];
}

function text(value: string): Uint8Array {
  return bcs.string().serialize(value).toBytes();
}

function ownerBytes(owner: Owner): Uint8Array[] {
  if (owner === 'Immutable') return [Uint8Array.of(3)];
  if ('Shared' in owner) return [Uint8Array.of(2), u64(owner.Shared.initial_shared_version)];
  if ('ObjectOwner' in owner) return [Uint8Array.of(1), fromHexId(owner.ObjectOwner)];
  return [Uint8Array.of(0), fromHexId(owner.AddressOwner)];
}

const types = new Map<string, Uint8Array>();

function typeBytes(type: string): Uint8Array {
  let bytes = types.get(type);
  if (bytes) return bytes;
  bytes = encodeType(type);
  if (types.size > 10_000) types.clear();
  types.set(type, bytes);
  return bytes;
}

/** Frequent types have a short form, which they must use. */
function encodeType(type: string): Uint8Array {
  if (type === GAS_COIN) return Uint8Array.of(1);
  if (type === STAKED_IOTA) return Uint8Array.of(2);
  const coinType = coinTypeOf(type);
  if (coinType !== null) return Uint8Array.of(3, ...bcs.TypeTag.serialize(coinType).toBytes());
  return Uint8Array.of(0, ...bcs.StructTag.serialize(parseStruct(type)).toBytes());
}

/** The parts of a struct's type. Throws `TypeError` for another type. */
export function parseStruct(type: string): typeof bcs.StructTag.$inferInput {
  const tag = TypeTagSerializer.parseFromStr(type, true);
  if (!('struct' in tag)) throw new TypeError(`${type} is not a struct`);
  return tag.struct;
}

function u64(value: number | bigint): Uint8Array {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
