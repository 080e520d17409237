import type { BalanceChange, ObjectChange, Owner, TypeTag } from '@forecourt/node-messages';
import { toHex } from '@iota/iota-sdk/utils';
import { encodeBase58 } from '../../base58/index.js';

const AMOUNT_BITS = 128;

/** An object change in the JSON of nodes; null for an unwrapped object, which they leave out. */
export function showObjectChange({ kind }: ObjectChange): object | null {
  if (kind.case === undefined || kind.case === 'unwrapped') return null;
  if (kind.case === 'published') {
    const { packageId, version, digest, modules } = kind.value;
    return {
      type: 'published',
      packageId: address(packageId?.objectId),
      version: String(version),
      digest: base58(digest?.digest),
      modules,
    };
  }
  const { sender, objectType, objectId, version } = kind.value;
  return {
    type: kind.case,
    sender: address(sender?.address),
    ...('owner' in kind.value && kind.value.owner && { owner: showOwner(kind.value.owner) }),
    objectType: objectType && showType(objectType),
    objectId: address(objectId?.objectId),
    version: String(version),
    ...(kind.case === 'mutated' && { previousVersion: String(kind.value.previousVersion) }),
    ...('digest' in kind.value && { digest: base58(kind.value.digest?.digest) }),
  };
}

export function showBalanceChange({ owner, coinType, amount }: BalanceChange): object {
  const unsigned = BigInt(`0x${toHex(amount ?? new Uint8Array(1))}`);
  return {
    owner: owner && showOwner(owner),
    coinType: coinType && showType(coinType),
    amount: String(BigInt.asIntN(AMOUNT_BITS, unsigned)),
  };
}

function showOwner({ kind }: Owner): unknown {
  switch (kind.case) {
    case 'addressOwner':
      return { AddressOwner: address(kind.value.address) };
    case 'objectOwner':
      return { ObjectOwner: address(kind.value.objectId) };
    case 'shared':
      return { Shared: { initial_shared_version: Number(kind.value) } };
    default:
      return 'Immutable';
  }
}

function showType({ typeTag }: TypeTag): string {
  if (typeTag.case === 'structTag') return typeTag.value.structTag;
  if (typeTag.case === 'vectorTag') return `vector<${showType(typeTag.value.innerType!)}>`;
  return (typeTag.case ?? '').replace(/Tag$/, '');
}

const address = (bytes: Uint8Array | undefined) => `0x${toHex(bytes ?? new Uint8Array())}`;
const base58 = (bytes: Uint8Array | undefined) => encodeBase58(bytes ?? new Uint8Array());
