import { bcs } from '@iota/iota-sdk/bcs';
import type {
  EffectsRecord,
  EngineInterface,
  ObjectReference,
  Owner,
} from '../../engine/engine-interface.js';

type EffectsBcs = NonNullable<(typeof bcs.TransactionEffects.$inferInput)['V1']>;
type Change =
  EffectsBcs['changedObjects'] extends Iterable<readonly [unknown, infer C]> ? C : never;

/** BCS of a transaction's effects, version 1, as `rawEffects` carries it. */
export function encodeEffects(engine: EngineInterface, effects: EffectsRecord): Uint8Array {
  const changed = changedObjects(engine, effects);
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
      unchangedSharedObjects: [],
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
  const written = (
    { reference, owner }: { reference: ObjectReference; owner: Owner },
    idOperation: Change['idOperation'],
  ): [string, Change] => [
    reference.objectId,
    {
      inputState: input(reference.objectId),
      outputState: { ObjectWrite: [reference.digest, encodeOwner(owner)] },
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

/**
 * The JSON has words where BCS has variants: those without parameters are kept, all others become a general
 * failure.
 */
function encodeStatus(status: EffectsRecord['status']): EffectsBcs['status'] {
  if (status.status === 'success') return { Success: true };
  const command = /in command (\d+)/.exec(status.error)?.[1];
  const plain = PLAIN_FAILURES.find(([name]) => status.error.startsWith(name));
  return {
    Failed: { error: plain?.[1] ?? { InvariantViolation: true }, command: command ?? null },
  };
}

type Failure = Extract<EffectsBcs['status'], { Failed: unknown }>['Failed']['error'];
const PLAIN_FAILURES: readonly (readonly [string, Failure])[] = [
  ['InsufficientGas', { InsufficientGas: true }],
  ['InsufficientCoinBalance', { InsufficientCoinBalance: true }],
  ['InvalidTransferObject', { InvalidTransferObject: true }],
];
