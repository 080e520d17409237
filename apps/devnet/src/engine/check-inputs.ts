import type { TransactionData } from './engine-interface.js';
import type { Program, DecodedTransaction } from './transaction-data.js';
import type { UsableObjects } from './object-store.js';
import { packagesOf } from './packages-of.js';
import type { StoredObject } from './stored-object.js';
import { refuseBytes, refuseInputs } from './inputs-refused.js';
import { U64_MAX } from './gas-schedule.js';
import { type InputFault, inputFaults } from './input-fault.js';
import {
  limitFaults,
  absence,
  ownedFault,
  packageAbsence,
  packageFault,
  receivedFault,
  sharedAbsence,
  sharedFault,
  staleness,
} from './object-faults.js';
import {
  findUsedTwice,
  hasDuplicates,
  type ObjectUses,
  type Reference,
  usesOf,
} from './object-uses.js';
import { GAS_COIN } from './type-tag.js';

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
  store: UsableObjects,
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

/**
 * Throws `EngineError` for objects that do not exist, have another version or digest, or are not owned by a
 * signer.
 */
export function checkInputs(store: UsableObjects, { data, program }: DecodedTransaction): void {
  const { payment, owner, budget } = data.gasData;
  if (payment.length === 0) throw refuseBytes(limitFaults.missingGasPayment());
  checkUses(store, usesOf(program, data.sender, { coins: payment, owner }), BigInt(budget));
}

/** The same check before the payment is chosen. */
export function checkUnpaidInputs(
  store: UsableObjects,
  { data, program }: DecodedTransaction,
): void {
  checkUses(store, usesOf(program, data.sender, { coins: [], owner: data.sender }), 0n);
}

/**
 * A node looks up every object before it judges any, begins with the payment, checks locks last, and reports
 * the first fault that it finds.
 */
function checkUses(store: UsableObjects, uses: ObjectUses, budget: bigint): void {
  const { shared, packages, received, owned, gas } = uses;
  const spent = [...owned, ...gas];
  if (hasDuplicates(uses)) throw refuseBytes(inputFaults.duplicated());
  refuseFirst([
    ...shared.map((input) => sharedAbsence(store, input)),
    ...packages.map((id) => packageAbsence(store, id)),
    ...spent.map(({ reference }) => absence(store, reference, null)),
    ...received.map((reference) => absence(store, reference, reference.version)),
  ]);
  const twice = findUsedTwice(uses);
  if (twice !== null) throw refuseBytes(inputFaults.usedTwice(twice));
  const payment = gas.map(({ reference }) => reference);
  // Whether an earlier version is enough does not matter: it cannot be used again.
  if (payment.every((coin) => staleness(store, coin) === null)) {
    checkGasBalance(store, payment, budget);
  }
  refuseFirst([
    ...received.map((reference) => receivedFault(store, reference)),
    ...shared.map((input) => sharedFault(store, input)),
    ...packages.map((id) => packageFault(store, id)),
    ...spent.map(({ reference, signer }) => ownedFault(store, reference, signer)),
    ...received.map((reference) => staleness(store, reference)),
    ...spent.map(({ reference }) => staleness(store, reference)),
  ]);
}

function refuseFirst(faults: readonly (InputFault | null)[]): void {
  const first = faults.find((fault) => fault !== null);
  if (first) throw refuseInputs(first);
}

function checkGasBalance(
  store: UsableObjects,
  payment: readonly Reference[],
  budget: bigint,
): void {
  let balance = 0n;
  for (const { objectId } of payment) {
    const object = store.latest(objectId);
    if (object?.type !== GAS_COIN) throw refuseInputs(limitFaults.notGas(objectId));
    if (object.owner === 'Immutable') throw refuseInputs(limitFaults.gasNotOwned('Immutable'));
    balance += object.coin!.balance;
  }
  if (balance > U64_MAX) {
    throw refuseInputs(inputFaults.other('The balance of the gas coins overflows'));
  }
  if (balance < budget) throw refuseInputs(limitFaults.balanceTooLow(balance, budget));
}
