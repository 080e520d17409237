import type { DecodedTransaction } from './decoded-transaction.js';
import type { ObjectReference } from './object-reference.js';
import type { OwnedReference, TransactionEffects } from './transaction-effects.js';

/** What final effects made of an object. */
export interface RecentObject extends ObjectReference {
  /** In the node's own JSON; null: the object was deleted or wrapped. */
  readonly owner: unknown;
}

/** Finds those of these objects that transactions of the fleet have changed a moment ago, by id. */
export type ReadRecentObjects = (
  objectIds: readonly string[],
) => Promise<ReadonlyMap<string, RecentObject>>;

/** Bounds what one transaction makes the fleet keep; a node shows the others soon enough. */
const MAX_KEPT = 512;

/**
 * The objects that other transactions may use, or can use no more, after this one: its own inputs, whatever became of them,
 * and what belongs to an address. The coins that paid for it are not among them: only the pool hands these out.
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
