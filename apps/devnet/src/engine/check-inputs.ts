import type { DecodedTransaction } from './decode-transaction.js';
import { refuseBytes, refuseInputs } from './engine-error.js';
import { U64_MAX } from './gas-schedule.js';
import { type InputFault, inputFaults } from './input-fault.js';
import { limitFaults } from './limit-faults.js';
import {
  absence,
  ownedFault,
  packageAbsence,
  packageFault,
  receivedFault,
  sharedAbsence,
  sharedFault,
  staleness,
} from './object-faults.js';
import type { ObjectStore } from './object-store.js';
import {
  findUsedTwice,
  hasDuplicates,
  type ObjectUses,
  type Reference,
  usesOf,
} from './object-uses.js';
import { GAS_COIN } from './type-tag.js';

/**
 * Throws `EngineError` for objects that do not exist, have another version or digest, or are not owned by a signer.
 */
export function checkInputs(store: ObjectStore, { data, program }: DecodedTransaction): void {
  const { payment, owner, budget } = data.gasData;
  if (payment.length === 0) throw refuseBytes(limitFaults.missingGasPayment());
  checkUses(store, usesOf(program, data.sender, { coins: payment, owner }));
  checkGasBalance(store, payment, BigInt(budget));
}

/** The same check before the payment is chosen. */
export function checkUnpaidInputs(store: ObjectStore, { data, program }: DecodedTransaction): void {
  checkUses(store, usesOf(program, data.sender, { coins: [], owner: data.sender }));
}

/**
 * A node looks up every object before it judges any, checks locks last, and reports the first fault that it finds.
 */
function checkUses(store: ObjectStore, uses: ObjectUses): void {
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

function checkGasBalance(store: ObjectStore, payment: readonly Reference[], budget: bigint): void {
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
