import type { TransactionData } from './engine-interface.js';
import type { Program } from './decode-transaction.js';
import type { ObjectStore } from './object-store.js';
import { packagesOf } from './packages-of.js';
import type { StoredObject } from './stored-object.js';

/** The objects that a transaction reads and writes, at their current versions. */
export interface ResolvedInputs {
  readonly owned: readonly StoredObject[];
  readonly shared: readonly { readonly object: StoredObject; readonly mutable: boolean }[];
  readonly immutable: readonly StoredObject[];
  /** Received objects: only their versions matter, because no function here receives them. */
  readonly received: readonly StoredObject[];
  readonly gas: readonly StoredObject[];
  /** The packages that the program names. */
  readonly packages: readonly StoredObject[];
}

/** Objects that do not exist are left out: the inputs have been checked before. */
export function resolveInputs(
  store: ObjectStore,
  program: Program,
  gasData: TransactionData['gasData'],
): ResolvedInputs {
  const owned: StoredObject[] = [];
  const shared: { object: StoredObject; mutable: boolean }[] = [];
  const immutable: StoredObject[] = [];
  const received: StoredObject[] = [];
  for (const { Object: input } of program.inputs) {
    if (!input) continue;
    const named = input.SharedObject ?? input.ImmOrOwnedObject ?? input.Receiving;
    const object = store.latest(named?.objectId ?? '');
    if (!object) continue;
    if (input.Receiving) received.push(object);
    else if (input.SharedObject) shared.push({ object, mutable: input.SharedObject.mutable });
    else (object.owner === 'Immutable' ? immutable : owned).push(object);
  }
  return {
    owned,
    shared,
    immutable,
    received,
    gas: present(gasData.payment.map(({ objectId }) => store.latest(objectId))),
    packages: present(packagesOf(program).map((id) => store.latest(id))),
  };
}

function present(objects: readonly (StoredObject | undefined)[]): StoredObject[] {
  return objects.filter((object) => object !== undefined);
}
