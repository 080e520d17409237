import type { Owner, StoredEventRecord } from '@forecourt/client';

/** The change of one object by a transaction. */
export interface ObjectEffect {
  readonly change: 'Created' | 'Transferred' | 'Deleted' | 'Published';
  readonly objectId: string;
  /** Null: the node does not report it. */
  readonly type: string | null;
  /** Null: the object is deleted, or a package. */
  readonly owner: Owner | null;
}

/** The effects of a transaction, from its events: objects, and events that its Move calls emitted. */
export interface Effects {
  readonly objects: readonly ObjectEffect[];
  readonly emitted: readonly StoredEventRecord[];
}

export function readEffects(records: readonly StoredEventRecord[]): Effects {
  return {
    objects: records.flatMap(({ event }) => readObject(event) ?? []),
    emitted: records.filter(({ event }) => 'moveEvent' in event),
  };
}

function readObject(event: StoredEventRecord['event']): ObjectEffect | null {
  if ('newObject' in event) {
    const { objectId, recipient: owner } = event.newObject;
    return { change: 'Created', objectId, type: null, owner };
  }
  if ('transferObject' in event) {
    const { objectId, type, recipient: owner } = event.transferObject;
    return { change: 'Transferred', objectId, type, owner };
  }
  if ('deleteObject' in event) {
    return { change: 'Deleted', objectId: event.deleteObject.objectId, type: null, owner: null };
  }
  if ('publish' in event) {
    return { change: 'Published', objectId: event.publish.packageId, type: null, owner: null };
  }
  return null;
}

/** An owner in words, and its address if it has one. */
export function describeOwner(owner: Owner): { readonly kind: string; readonly id: string | null } {
  if (owner === 'Immutable') return { kind: 'immutable', id: null };
  if ('AddressOwner' in owner) return { kind: 'address', id: owner.AddressOwner };
  if ('ObjectOwner' in owner) return { kind: 'object', id: owner.ObjectOwner };
  return { kind: 'shared', id: null };
}
