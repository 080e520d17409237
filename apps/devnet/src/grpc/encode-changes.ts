import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  BalanceChangeSchema,
  ObjectChangeSchema,
  OwnerSchema,
  TypeTagSchema,
} from '@forecourt/ledger/node-messages';
import { fromBase58 } from '@iota/iota-sdk/utils';
import type {
  BalanceChange,
  EffectsRecord,
  ObjectChange,
  Owner,
} from '../engine/engine-interface.js';
import { fromHexId } from '../engine/hash.js';

const AMOUNT_BITS = 128;

export function encodeBalanceChange({
  owner,
  coinType,
  amount,
}: BalanceChange): MessageInitShape<typeof BalanceChangeSchema> {
  const hex = BigInt.asUintN(AMOUNT_BITS, amount).toString(16);
  return {
    owner: showOwner(owner),
    coinType: structTag(coinType),
    amount: Buffer.from(hex.padStart(AMOUNT_BITS / 4, '0'), 'hex'),
  };
}

/** A transfer is a mutation with another owner. */
export function encodeObjectChange(
  change: ObjectChange,
  { modifiedAtVersions }: EffectsRecord,
): MessageInitShape<typeof ObjectChangeSchema> {
  if (change.type === 'published') {
    const { packageId, version, digest, modules } = change;
    const value = {
      packageId: { objectId: fromHexId(packageId) },
      version: BigInt(version),
      digest: { digest: fromBase58(digest) },
      modules: [...modules],
    };
    return { kind: { case: 'published', value } };
  }
  const object = {
    sender: { address: fromHexId(change.sender) },
    objectType: structTag(change.objectType),
    objectId: { objectId: fromHexId(change.objectId) },
    version: BigInt(change.version),
  };
  if (!('digest' in change)) {
    return { kind: { case: change.type, value: object } };
  }
  const written = {
    ...object,
    owner: showOwner(change.type === 'transferred' ? change.recipient : change.owner),
    digest: { digest: fromBase58(change.digest) },
  };
  if (change.type === 'created') return { kind: { case: 'created', value: written } };
  const previous = modifiedAtVersions.find(({ objectId }) => objectId === change.objectId);
  const value = { ...written, previousVersion: BigInt(previous?.version ?? 0) };
  return { kind: { case: 'mutated', value } };
}

function showOwner(owner: Owner): MessageInitShape<typeof OwnerSchema> {
  if (owner === 'Immutable') return { kind: { case: 'immutable', value: true } };
  if ('Shared' in owner) {
    return { kind: { case: 'shared', value: BigInt(owner.Shared.initial_shared_version) } };
  }
  if ('ObjectOwner' in owner) {
    const value = { objectId: fromHexId(owner.ObjectOwner) };
    return { kind: { case: 'objectOwner', value } };
  }
  return { kind: { case: 'addressOwner', value: { address: fromHexId(owner.AddressOwner) } } };
}

function structTag(text: string): MessageInitShape<typeof TypeTagSchema> {
  return { typeTag: { case: 'structTag', value: { structTag: text } } };
}
