import type { Objects } from '../../node-messages/index.js';
import type { ChangedObject, EffectsBcs } from './effects-reader.js';
import { GAS_TYPE, readObjectBcs, showOwner, type StoredObject } from './object-bcs.js';
import { changeOf, gasObject, write } from './show-effects.js';

/** Objects by id and version. */
export type StoredObjects = ReadonlyMap<string, StoredObject>;

/** Throws `Error` for bytes that are not an object. */
export function readObjects(objects: Objects | undefined): StoredObjects {
  const read = (objects?.objects ?? []).flatMap(({ bcs }) => (bcs ? readObjectBcs(bcs.data) : []));
  return new Map(read.map((object) => [keyOf(object.objectId, object.version), object]));
}

const keyOf = (objectId: string, version: string) => `${objectId}@${version}`;

/**
 * `objectChanges` over JSON-RPC, which leave out deleted and wrapped objects. Nodes over gRPC have them in a
 * later version only, but objects in all. Throws `Error` where one is absent.
 */
export function showObjectChanges(
  effects: EffectsBcs,
  sender: string,
  outputs: StoredObjects,
): object[] {
  const ordered = (['mutated', 'created', 'unwrapped'] as const).flatMap((change) =>
    effects.changedObjects.filter((one) => changeOf(one) === change),
  );
  return ordered.flatMap((changed) => showObjectChange(changed, effects, sender, outputs) ?? []);
}

function showObjectChange(
  changed: ChangedObject,
  { lamportVersion }: EffectsBcs,
  sender: string,
  outputs: StoredObjects,
): object | null {
  const [objectId, { inputState }] = changed;
  const type = changeOf(changed);
  const { owner, reference } = write(changed, lamportVersion);
  const { digest } = reference;
  const { type: objectType, version, modules } = outputOf(changed, lamportVersion, outputs);
  if (objectType === 'package') {
    // New versions of the framework, which are not shown.
    if (type !== 'created') return null;
    return { type: 'published', packageId: objectId, version, digest, modules };
  }
  return {
    type,
    sender,
    owner,
    objectType,
    objectId,
    version,
    ...(inputState.Exist && { previousVersion: inputState.Exist[0][0] }),
    digest,
  };
}

/**
 * `balanceChanges` over JSON-RPC, for every owner and type of coin: of a failed transaction, only the gas.
 * `madeUp`: the id of the coin that a node makes up to simulate a transaction without payment. Throws `Error`
 * where an object is absent.
 */
export function showBalanceChanges(
  effects: EffectsBcs,
  inputs: StoredObjects,
  outputs: StoredObjects,
  madeUp: string | null,
): object[] {
  const { failure, gasUsed, changedObjects, lamportVersion } = effects;
  if (failure) {
    const { computationCost, storageCost, storageRebate } = gasUsed;
    const amount = BigInt(storageRebate) - BigInt(computationCost) - BigInt(storageCost);
    return [{ owner: gasObject(effects).owner, coinType: GAS_TYPE, amount: String(amount) }];
  }
  const sums = new Map<string, { coin: StoredObject; amount: bigint }>();
  const add = (object: StoredObject, sign: bigint) => {
    if (object.balance === null) return;
    const key = orderOf(object);
    const sum = sums.get(key) ?? { coin: object, amount: 0n };
    sum.amount += sign * object.balance;
    sums.set(key, sum);
  };
  for (const changed of changedObjects) {
    const [objectId, { inputState, outputState }] = changed;
    if (objectId === madeUp) continue;
    if (inputState.Exist) add(find(inputs, objectId, inputState.Exist[0][0]), -1n);
    if (!outputState.NotExist) add(outputOf(changed, lamportVersion, outputs), 1n);
  }
  return [...sums]
    .filter(([, { amount }]) => amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { coin, amount }]) => ({
      owner: showOwner(coin.owner),
      coinType: coin.coinType,
      amount: String(amount),
    }));
}

function outputOf(
  [objectId, { outputState }]: ChangedObject,
  lamportVersion: string,
  outputs: StoredObjects,
): StoredObject {
  return find(outputs, objectId, outputState.PackageWrite?.[0] ?? lamportVersion);
}

function find(objects: StoredObjects, objectId: string, version: string): StoredObject {
  const found = objects.get(keyOf(objectId, version));
  if (!found) throw new Error(`the node leaves out object ${objectId} at version ${version}`);
  return found;
}

/**
 * One text for each owner and type of coin, in the order in which nodes list them: by kind of owner, id,
 * type.
 */
function orderOf({ owner, coinType }: StoredObject): string {
  return `${ownerOrder(owner)}|${typeOrder(coinType!)}`;
}

function ownerOrder(owner: StoredObject['owner']): string {
  switch (owner.$kind) {
    case 'AddressOwner':
      return `0${owner.AddressOwner}`;
    case 'ObjectOwner':
      return `1${owner.ObjectOwner}`;
    case 'Shared':
      return `2${owner.Shared.initialSharedVersion.padStart(20, '0')}`;
    default:
      return '3';
  }
}

/** Types are compared part by part: what separates parts comes before every character of a name. */
function typeOrder(type: string): string {
  return type
    .replace(/0x([\da-f]+)/g, (_whole, digits: string) => digits.padStart(64, '0'))
    .replace(/::|<|, |>/g, '\0');
}
