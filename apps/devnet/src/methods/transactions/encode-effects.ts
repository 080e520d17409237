import { bcs } from '@iota/iota-sdk/bcs';
import type {
  EffectsRecord,
  EngineInterface,
  ObjectReference,
  OwnedReference,
  Owner,
} from '../../engine/engine-interface.js';
import { encodeStatus } from './encode-status.js';

type EffectsBcs = NonNullable<(typeof bcs.TransactionEffects.$inferInput)['V1']>;
type Change =
  EffectsBcs['changedObjects'] extends Iterable<readonly [unknown, infer C]> ? C : never;

/** BCS of a transaction's effects, version 1, as `rawEffects` carries it. */
export function encodeEffects(engine: EngineInterface, effects: EffectsRecord): Uint8Array {
  const changed = changedObjects(engine, effects);
  const changedIds = new Set(effects.modifiedAtVersions.map(({ objectId }) => objectId));
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
        .filter(({ objectId }) => !changedIds.has(objectId))
        .map(({ objectId, version, digest }) => [objectId, { ReadOnlyRoot: [version, digest] }]),
      auxDataDigest: null,
    },
  }).toBytes();
}

function changedObjects(engine: EngineInterface, effects: EffectsRecord): [string, Change][] {
  const versions = new Map(effects.modifiedAtVersions.map((at) => [at.objectId, at.version]));
  const input = (id: string): Change['inputState'] => {
    const version = versions.get(id);
    const past = version === undefined ? null : engine.getPastObject(id, version);
    if (past?.kind !== 'found') return { NotExist: true };
    const { digest, owner } = past.object;
    return { Exist: [[past.object.version, digest], encodeOwner(owner)] };
  };
  const isPackage = ({ objectId, version }: ObjectReference) => {
    const written = engine.getPastObject(objectId, version);
    return written.kind === 'found' && written.object.type === 'package';
  };
  const written = (
    { reference, owner }: OwnedReference,
    idOperation: Change['idOperation'],
  ): [string, Change] => [
    reference.objectId,
    {
      inputState: input(reference.objectId),
      outputState: isPackage(reference)
        ? { PackageWrite: [reference.version, reference.digest] }
        : { ObjectWrite: [reference.digest, encodeOwner(owner)] },
      idOperation,
    },
  ];
  const gone = (
    { objectId }: ObjectReference,
    idOperation: Change['idOperation'],
  ): [string, Change] => [
    objectId,
    { inputState: input(objectId), outputState: { NotExist: true }, idOperation },
  ];
  return [
    ...effects.created.map((one) => written(one, { Created: true })),
    ...effects.mutated.map((one) => written(one, { None: true })),
    ...effects.unwrapped.map((one) => written(one, { None: true })),
    ...effects.deleted.map((one) => gone(one, { Deleted: true })),
    ...effects.unwrappedThenDeleted.map((one) => gone(one, { Deleted: true })),
    ...effects.wrapped.map((one) => gone(one, { None: true })),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
}

function encodeOwner(owner: Owner): typeof bcs.Owner.$inferInput {
  if (owner === 'Immutable') return { Immutable: true };
  if ('Shared' in owner) {
    return { Shared: { initialSharedVersion: owner.Shared.initial_shared_version } };
  }
  return owner;
}
