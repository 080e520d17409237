import { encodeBase58 } from '../../base58/index.js';
import type { ChangedObject, EffectsBcs } from './effects-reader.js';
import { describeFailure } from './execution-failure.js';
import { showOwner } from './object-bcs.js';

/**
 * Digests that the ledger gives to objects without contents, and to those that a cancelled transaction names.
 */
const DELETED = encodeBase58(new Uint8Array(32).fill(99));
const WRAPPED = encodeBase58(new Uint8Array(32).fill(88));
const CANCELLED = encodeBase58(new Uint8Array(32).fill(77));
const NO_ADDRESS = `0x${'0'.repeat(64)}`;
const NO_DIGEST = '1'.repeat(32);

/**
 * The list of effects that a changed object belongs to; null for one that was created and wrapped at once.
 */
export type Change =
  'created' | 'mutated' | 'unwrapped' | 'deleted' | 'unwrappedThenDeleted' | 'wrapped' | null;

export function changeOf([, { inputState, outputState, idOperation }]: ChangedObject): Change {
  const existed = inputState.$kind === 'Exist';
  if (outputState.$kind !== 'NotExist') {
    if (existed) return 'mutated';
    return idOperation.$kind === 'Created' ? 'created' : 'unwrapped';
  }
  if (idOperation.$kind === 'Deleted') return existed ? 'deleted' : 'unwrappedThenDeleted';
  return existed ? 'wrapped' : null;
}

/**
 * The JSON in which nodes serve effects over JSON-RPC (specification, "Effects object"), from those that they
 * serve over gRPC.
 */
export function showEffects(effects: EffectsBcs, isSimulated: boolean): object {
  const { failure, changedObjects, lamportVersion } = effects;
  const listed = (change: Change) => changedObjects.filter((one) => changeOf(one) === change);
  const written = (change: Change) => listed(change).map((one) => write(one, lamportVersion));
  const gone = (change: Change, digest: string) =>
    listed(change).map(([objectId]) => reference(objectId, lamportVersion, digest));
  return withoutEmpty({
    messageVersion: 'v1',
    status: failure
      ? { status: 'failure', error: describeFailure(failure, isSimulated) }
      : { status: 'success' },
    executedEpoch: effects.executedEpoch,
    gasUsed: effects.gasUsed,
    modifiedAtVersions: changedObjects.flatMap(([objectId, { inputState }]) =>
      inputState.Exist ? [{ objectId, sequenceNumber: inputState.Exist[0][0] }] : [],
    ),
    sharedObjects: sharedInputs(effects),
    transactionDigest: effects.transactionDigest,
    created: written('created'),
    mutated: written('mutated'),
    unwrapped: written('unwrapped'),
    deleted: gone('deleted', DELETED),
    unwrappedThenDeleted: gone('unwrappedThenDeleted', DELETED),
    wrapped: gone('wrapped', WRAPPED),
    gasObject: gasObject(effects),
    eventsDigest: effects.eventsDigest,
    dependencies: effects.dependencies,
  });
}

/** An object that exists after the transaction, with its owner. */
export function write([objectId, { outputState }]: ChangedObject, lamportVersion: string) {
  if (outputState.PackageWrite) {
    return { owner: 'Immutable', reference: reference(objectId, ...outputState.PackageWrite) };
  }
  const [digest, owner] = outputState.ObjectWrite!;
  return { owner: showOwner(owner), reference: reference(objectId, lamportVersion, digest) };
}

function reference(objectId: string, version: string, digest: string) {
  return { objectId, version: Number(version), digest };
}

/** Shared inputs at the versions at which the transaction used them: the changed ones, then the others. */
function sharedInputs({ changedObjects, unchangedSharedObjects }: EffectsBcs) {
  const changed = changedObjects.flatMap(([objectId, { inputState }]) => {
    if (!inputState.Exist) return [];
    const [versionDigest, owner] = inputState.Exist;
    return owner.$kind === 'Shared' ? [reference(objectId, ...versionDigest)] : [];
  });
  const unchanged = unchangedSharedObjects.flatMap(([objectId, kind]) => {
    if (kind.ReadOnlyRoot) return [reference(objectId, ...kind.ReadOnlyRoot)];
    if (kind.Cancelled) return [reference(objectId, kind.Cancelled, CANCELLED)];
    const version = kind.MutateDeleted ?? kind.ReadDeleted;
    // The rest is configuration, which is not an input.
    return version === undefined ? [] : [reference(objectId, version, DELETED)];
  });
  return [...changed, ...unchanged];
}

/** Transactions without gas, such as those that end epochs, name the zero address. */
export function gasObject({ gasObjectIndex, changedObjects, lamportVersion }: EffectsBcs) {
  if (gasObjectIndex === null) {
    return {
      owner: { AddressOwner: NO_ADDRESS },
      reference: { objectId: NO_ADDRESS, version: 0, digest: NO_DIGEST },
    };
  }
  return write(changedObjects[gasObjectIndex]!, lamportVersion);
}

/** Nodes leave out empty lists, and an absent digest of events. */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const isShown = ([, value]: [string, unknown]) =>
    value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(isShown));
}
