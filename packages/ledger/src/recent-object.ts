import type { DecodedTransaction } from './decoded-transaction.js';
import type { ObjectReference } from './object-reference.js';
import type { OwnedReference, TransactionEffects } from './transaction-effects.js';

/** State of an object after final effects. */
export interface RecentObject extends ObjectReference {
  /** In the node's own JSON; null: the object was deleted or wrapped. */
  readonly owner: unknown;
}

/** Finds those of these objects that transactions of the fleet have changed recently, by id. */
export type ReadRecentObjects = (
  objectIds: readonly string[],
) => Promise<ReadonlyMap<string, RecentObject>>;

/** Limits the objects that the fleet keeps per transaction; a node soon shows the others. */
const MAX_KEPT = 512;

/**
 * The objects that other transactions may use, or can no longer use, after this one: all its own
 * inputs, and the objects that belong to an address. Excludes the coins that paid for it: only the
 * pool hands these out.
 */
export function listRecentObjects(
  effects: TransactionEffects,
  { ownedInputs, receivedInputs }: Pick<DecodedTransaction, 'ownedInputs' | 'receivedInputs'>,
): RecentObject[] {
  const inputs = new Set([...ownedInputs, ...receivedInputs].map(({ objectId }) => objectId));
  const gasCoin = effects.gasObject.reference.objectId;
  const isKept = ({ owner, reference: { objectId } }: OwnedReference) =>
    objectId !== gasCoin && (inputs.has(objectId) || isOfAddress(owner));
  const written = [effects.mutated, effects.created, effects['unwrapped']]
    .flatMap((some) => (some ?? []) as readonly OwnedReference[])
    .filter(isKept)
    .map(({ owner, reference }) => recent(reference, owner));
  const gone = [effects.deleted, effects['wrapped']]
    .flatMap((some) => (some ?? []) as readonly ObjectReference[])
    .filter(({ objectId }) => inputs.has(objectId))
    .map((reference) => recent(reference, null));
  return [...gone, ...written].slice(0, MAX_KEPT);
}

function recent({ objectId, version, digest }: ObjectReference, owner: unknown): RecentObject {
  // Some nodes write versions as text.
  return { objectId, version: Number(version), digest, owner };
}

function isOfAddress(owner: unknown): boolean {
  return typeof owner === 'object' && owner !== null && 'AddressOwner' in owner;
}
