import { bcs } from '@iota/iota-sdk/bcs';
import type {
  EffectsRecord,
  EngineInterface,
  ObjectRecord,
  ObjectReference,
  Owner,
} from '../../engine/engine-interface.js';
import { encodeStatus } from './encode-status.js';

type EffectsBcs = NonNullable<(typeof bcs.TransactionEffects.$inferInput)['V1']>;

const NO_DIGEST = '1'.repeat(32);
const NO_OWNER: Owner = { AddressOwner: `0x${'0'.repeat(64)}` };

type Change =
  EffectsBcs['changedObjects'] extends Iterable<readonly [unknown, infer C]> ? C : never;

/**
 * BCS of a transaction's effects, version 1, as `rawEffects` carries it. `inputs`: objects that the ledger
 * does not store.
 */
export function encodeEffects(
  engine: EngineInterface,
  effects: EffectsRecord,
  inputs: readonly ObjectRecord[] = [],
): Uint8Array {
  const changed = changedObjects(engine, effects, inputs);
  const gasIndex = changed.findIndex(([id]) => id === effects.gasObject.reference.objectId);
  return bcs.TransactionEffects.serialize({
    V1: {
      status: encodeStatus(effects.status),
      executedEpoch: effects.executedEpoch,
      gasUsed: effects.gasUsed,
      transactionDigest: effects.transactionDigest,
      gasObjectIndex: gasIndex < 0 ? null : gasIndex,
      eventsDigest: effects.eventsDigest,
      dependencies: [...effects.dependencies],
      lamportVersion: effects.lamportVersion,
      changedObjects: changed,
      unchangedSharedObjects: effects.sharedObjects
        .filter(({ objectId }) => !changed.some(([id]) => id === objectId))
        .map(({ objectId, version, digest }) => [objectId, { ReadOnlyRoot: [version, digest] }]),
      auxDataDigest: null,
    },
  }).toBytes();
}

function changedObjects(
  engine: EngineInterface,
  effects: EffectsRecord,
  inputs: readonly ObjectRecord[],
): [string, Change][] {
  const versions = new Map(effects.modifiedAtVersions.map((each) => [each.objectId, each.version]));
  const shared = new Map(effects.sharedObjects.map((each) => [each.objectId, each]));
  const input = (id: string, owner: Owner): Change['inputState'] => {
    const version = versions.get(id);
    if (version === undefined) return { NotExist: true };
    const past = engine.getPastObject(id, version);
    if (past.kind === 'found') {
      return { Exist: [[version, past.object.digest], encodeOwner(past.object.owner)] };
    }
    // It has been pruned, or stands in for the gas of a simulation.
    const digest = (shared.get(id) ?? inputs.find(({ objectId }) => objectId === id))?.digest;
    return { Exist: [[version, digest ?? NO_DIGEST], encodeOwner(owner)] };
  };
  const written = (
    { reference, owner }: { reference: ObjectReference; owner: Owner },
    idOperation: Change['idOperation'],
  ): [string, Change] => [
    reference.objectId,
    {
      inputState: input(reference.objectId, owner),
      outputState: isPackage(engine, reference)
        ? { PackageWrite: [reference.version, reference.digest] }
        : { ObjectWrite: [reference.digest, encodeOwner(owner)] },
      idOperation,
    },
  ];
  const removals = (
    { objectId }: ObjectReference,
    idOperation: Change['idOperation'],
  ): [string, Change] => [
    objectId,
    { inputState: input(objectId, NO_OWNER), outputState: { NotExist: true }, idOperation },
  ];
  return [
    ...effects.created.map((one) => written(one, { Created: true })),
    ...effects.mutated.map((one) => written(one, { None: true })),
    ...effects.unwrapped.map((one) => written(one, { None: true })),
    ...effects.deleted.map((one) => removals(one, { Deleted: true })),
    ...effects.unwrappedThenDeleted.map((one) => removals(one, { Deleted: true })),
    ...effects.wrapped.map((one) => removals(one, { None: true })),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isPackage(engine: EngineInterface, { objectId }: ObjectReference): boolean {
  return engine.getModuleNames(objectId) !== null;
}

function encodeOwner(owner: Owner): typeof bcs.Owner.$inferInput {
  if (owner === 'Immutable') return { Immutable: true };
  if ('Shared' in owner) {
    return { Shared: { initialSharedVersion: owner.Shared.initial_shared_version } };
  }
  return owner;
}
