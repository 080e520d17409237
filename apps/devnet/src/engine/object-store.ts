import type { ObjectLookup, ObjectReference, PastObjectLookup } from './engine-interface.js';
import { OwnerIndex } from './owner-index.js';
import type { StoredObject } from './stored-object.js';

/** The objects that a transaction may use. */
export type UsableObjects = Pick<ObjectStore, 'latest' | 'lookup'>;

/** The latest and earlier versions of every object, and the references of deleted ones. */
export class ObjectStore {
  readonly #latest = new Map<string, StoredObject>();
  readonly #past = new Map<string, Map<number, StoredObject>>();
  readonly #deleted = new Map<string, ObjectReference>();
  /** The versions of each package, by the id of the first. */
  readonly #packages = new Map<string, StoredObject[]>();
  readonly owners = new OwnerIndex<StoredObject>((id) => this.#latest.get(id));

  constructor(private readonly keepsPast = true) {}

  /** The current objects, in a store without earlier versions. */
  copy(): ObjectStore {
    const copy = new ObjectStore(false);
    for (const object of this.#latest.values()) copy.write(object);
    for (const [id, reference] of this.#deleted) copy.#deleted.set(id, reference);
    return copy;
  }

  latest(id: string): StoredObject | undefined {
    return this.#latest.get(id);
  }

  write(object: StoredObject): void {
    const before = this.#latest.get(object.objectId);
    if (before) this.keep(before);
    this.#latest.set(object.objectId, object);
    if (object.type === 'package') this.keepPackage(object);
    this.owners.replace(before, object);
  }

  delete(reference: ObjectReference): void {
    const before = this.#latest.get(reference.objectId);
    if (!before) return;
    this.keep(before);
    this.#latest.delete(reference.objectId);
    this.#deleted.set(reference.objectId, reference);
    this.owners.replace(before, undefined);
  }

  private keep(object: StoredObject): void {
    if (!this.keepsPast) return;
    let versions = this.#past.get(object.objectId);
    if (!versions) this.#past.set(object.objectId, (versions = new Map<number, StoredObject>()));
    versions.set(object.version, object);
  }

  private keepPackage(object: StoredObject): void {
    const versions = this.#packages.get(object.originalId);
    if (versions) versions.push(object);
    else this.#packages.set(object.originalId, [object]);
  }

  /** All versions of a package, oldest first; empty if none of them has this id. */
  packageVersions(id: string): readonly StoredObject[] {
    const originalId = this.#latest.get(id)?.originalId;
    return (originalId !== undefined && this.#packages.get(originalId)) || [];
  }

  /** Drops one replaced version; the latest is never dropped. */
  forget(id: string, version: number): void {
    const versions = this.#past.get(id);
    versions?.delete(version);
    if (versions?.size === 0) this.#past.delete(id);
  }

  /** Drops the reference of a deleted object. */
  forgetDeleted(id: string): void {
    this.#deleted.delete(id);
  }

  lookup(id: string): ObjectLookup<StoredObject> {
    const object = this.#latest.get(id);
    if (object) return { kind: 'found', object };
    const reference = this.#deleted.get(id);
    return reference ? { kind: 'deleted', reference } : { kind: 'unknown' };
  }

  lookupPast(id: string, version: number): PastObjectLookup<StoredObject> {
    const now = this.lookup(id);
    if (now.kind === 'unknown') return now;
    const latest = now.kind === 'found' ? now.object.version : now.reference.version;
    if (version === latest) return now;
    if (version > latest) return { kind: 'version-too-high', latest };
    const object = this.#past.get(id)?.get(version);
    return object ? { kind: 'found', object } : { kind: 'version-not-found' };
  }
}
