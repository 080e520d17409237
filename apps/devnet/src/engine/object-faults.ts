import { type InputFault, inputFaults } from './input-fault.js';
import type { ObjectStore } from './object-store.js';
import type { Reference, SharedUse } from './object-uses.js';

/**
 * Checks whether the ledger has never had the object in this version; `unknownAt`: the version in the text where
 * the ledger knows none.
 */
export function absence(
  store: ObjectStore,
  { objectId, version }: Reference,
  unknownAt: string | null,
): InputFault | null {
  const found = store.lookup(objectId);
  if (found.kind === 'unknown') return inputFaults.objectNotFound(objectId, unknownAt);
  const latest = found.kind === 'found' ? found.object.version : found.reference.version;
  return latest < Number(version) ? inputFaults.objectNotFound(objectId, version) : null;
}

export function packageAbsence(store: ObjectStore, id: string): InputFault | null {
  return store.latest(id) ? null : inputFaults.packageNotFound(id);
}

export function sharedAbsence(store: ObjectStore, { objectId }: SharedUse): InputFault | null {
  return store.latest(objectId) ? null : inputFaults.objectNotFound(objectId, null);
}

/**
 * Checks whether the object has a newer version now, or none. A node still has the old one: it detects this at the
 * locks, after all other faults.
 */
export function staleness(store: ObjectStore, reference: Reference): InputFault | null {
  const latest = store.latest(reference.objectId);
  if (!latest) return inputFaults.objectNotFound(reference.objectId, null);
  return isCurrent(store, reference) ? null : inputFaults.unavailable(reference, latest.version);
}

/** For an object that the ledger has had; `staleness` checks for an old version. */
export function ownedFault(
  store: ObjectStore,
  reference: Reference,
  signer: string,
): InputFault | null {
  if (!isCurrent(store, reference)) return null;
  const { objectId } = reference;
  const { owner } = store.latest(objectId)!;
  const fault = contentFault(store, reference);
  if (fault !== null || owner === 'Immutable') return fault;
  if ('Shared' in owner) return inputFaults.notShared();
  if ('ObjectOwner' in owner) return inputFaults.child(objectId, owner.ObjectOwner);
  if (owner.AddressOwner === signer) return null;
  return inputFaults.wrongSender(objectId, owner.AddressOwner, signer);
}

/** The parent is not checked: Move does that when the object is received. */
export function receivedFault(store: ObjectStore, reference: Reference): InputFault | null {
  if (!isCurrent(store, reference)) return null;
  const { objectId } = reference;
  const { owner } = store.latest(objectId)!;
  const fault = contentFault(store, reference);
  if (fault !== null) return fault;
  if (owner === 'Immutable') return inputFaults.mustBeMutable(objectId);
  if ('Shared' in owner) return inputFaults.notShared();
  return 'ObjectOwner' in owner ? inputFaults.child(objectId, owner.ObjectOwner) : null;
}

export function sharedFault(store: ObjectStore, input: SharedUse): InputFault | null {
  const { objectId, initialSharedVersion, mutable } = input;
  const { owner, layout } = store.latest(objectId)!;
  if (owner === 'Immutable' || !('Shared' in owner)) return inputFaults.notShared();
  if (String(owner.Shared.initial_shared_version) !== initialSharedVersion) {
    return inputFaults.wrongInitialVersion();
  }
  return mutable && layout?.name === 'Clock' ? inputFaults.mustBeImmutable(objectId) : null;
}

export function packageFault(store: ObjectStore, id: string): InputFault | null {
  return store.latest(id)!.type === 'package' ? null : inputFaults.objectAsPackage(id);
}

function contentFault(store: ObjectStore, { objectId, digest }: Reference): InputFault | null {
  const object = store.latest(objectId)!;
  if (object.type === 'package') return inputFaults.packageAsObject(objectId);
  return object.digest === digest ? null : inputFaults.wrongDigest(objectId, object.digest);
}

function isCurrent(store: ObjectStore, { objectId, version }: Reference): boolean {
  return String(store.latest(objectId)?.version) === String(version);
}
