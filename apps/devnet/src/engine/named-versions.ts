import type { ObjectLookup } from './engine-interface.js';
import type { ObjectStore, UsableObjects } from './object-store.js';
import type { StoredObject } from './stored-object.js';
import type { DecodedTransaction } from './transaction-data.js';

/**
 * The objects of a simulation: a node reads owned inputs and the payment in the versions that the transaction
 * names, as long as it has them, and everything else in the current one. It does not learn from locks that a
 * version has been used.
 */
export class NamedVersions implements UsableObjects {
  readonly #earlier = new Map<string, StoredObject>();

  constructor(
    private readonly current: UsableObjects,
    history: ObjectStore,
    { program, data }: DecodedTransaction,
  ) {
    const owned = program.inputs.flatMap(({ Object: input }) => input?.ImmOrOwnedObject ?? []);
    for (const { objectId, version } of [...owned, ...data.gasData.payment]) {
      if (Number(version) >= latestVersion(current.lookup(objectId))) continue;
      const past = history.lookupPast(objectId, Number(version));
      if (past.kind === 'found') this.#earlier.set(objectId, past.object);
    }
  }

  latest(id: string): StoredObject | undefined {
    return this.#earlier.get(id) ?? this.current.latest(id);
  }

  lookup(id: string) {
    const object = this.#earlier.get(id);
    return object ? ({ kind: 'found', object } as const) : this.current.lookup(id);
  }
}

/** That of its deletion for a deleted object; 0 for an unknown one. */
function latestVersion(lookup: ObjectLookup): number {
  if (lookup.kind === 'unknown') return 0;
  return lookup.kind === 'found' ? lookup.object.version : lookup.reference.version;
}
