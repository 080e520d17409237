import type { TransactionData } from './engine-interface.js';
import type { DecodedTransaction, Program } from './decode-transaction.js';
import { refuseInputs } from './engine-error.js';
import { U64_MAX } from './gas-schedule.js';
import type { ObjectStore } from './object-store.js';
import type { StoredObject } from './stored-object.js';
import { GAS_COIN } from './type-tag.js';

type Reference = TransactionData['gasData']['payment'][number];

/** Refuses a transaction whose objects are not there, not in that version or not its signers'. */
export function checkInputs(store: ObjectStore, { data, program }: DecodedTransaction): void {
  const { payment, owner, budget } = data.gasData;
  if (payment.length === 0) throw refuseInputs(['Missing gas payment']);
  checkUnique(program, payment);
  const faults = [
    ...programFaults(store, program, data.sender),
    ...payment.flatMap((coin) => ownedFault(store, coin, owner) ?? []),
  ];
  if (faults.length > 0) throw refuseInputs(faults);
  checkGasBalance(store, payment, BigInt(budget));
}

/** What is wrong with the inputs of the program alone; `sender` null: whoever owns them. */
export function programFaults(
  store: ObjectStore,
  program: Program,
  sender: string | null,
): string[] {
  const faults: string[] = [];
  for (const { Object: input } of program.inputs) {
    const fault = input?.SharedObject
      ? sharedFault(store, input.SharedObject)
      : input?.ImmOrOwnedObject && ownedFault(store, input.ImmOrOwnedObject, sender);
    if (fault) faults.push(fault);
  }
  for (const { MoveCall: call } of program.commands) {
    if (call && store.latest(call.package)?.type !== 'package') {
      faults.push(`Dependent package not found on-chain: ${call.package}`);
    }
  }
  return faults;
}

export function checkUnique(program: Program, payment: readonly Reference[]): void {
  const seen = new Set<string>();
  const ids = [
    ...program.inputs.flatMap(
      ({ Object: input }) =>
        input?.ImmOrOwnedObject?.objectId ?? input?.SharedObject?.objectId ?? [],
    ),
    ...payment.map(({ objectId }) => objectId),
  ];
  for (const id of ids) {
    if (seen.has(id)) {
      throw refuseInputs([`Mutable object ${id} cannot appear more than one in one transaction`]);
    }
    seen.add(id);
  }
}

function ownedFault(
  store: ObjectStore,
  { objectId, version, digest }: Reference,
  signer: string | null,
): string | null {
  const object = store.latest(objectId);
  if (!object) {
    return `Could not find the referenced object ${objectId} at version Some(SequenceNumber(${version}))`;
  }
  if (String(object.version) !== String(version)) {
    return (
      `Object ID ${objectId} Version ${hex(version)} Digest ${digest} is not available for consumption, ` +
      `current version: ${hex(object.version)}`
    );
  }
  if (object.digest !== digest) {
    return `Invalid Object digest for object ${objectId}. Expected digest : ${object.digest}`;
  }
  return ownershipFault(object, signer);
}

function ownershipFault({ objectId, owner, type }: StoredObject, signer: string | null) {
  if (type === 'package') return `Move package is passed as an object argument: ${objectId}`;
  if (owner === 'Immutable' || signer === null) return null;
  if ('Shared' in owner) return `Object used as owned is not owned: ${objectId}`;
  if ('ObjectOwner' in owner) {
    return `Object ${objectId} is owned by object ${owner.ObjectOwner}. Objects owned by other objects cannot be used as input arguments`;
  }
  if (owner.AddressOwner === signer) return null;
  return (
    `Transaction was not signed by the correct sender: Object ${objectId} is owned by account address ` +
    `${owner.AddressOwner}, but given owner/signer address is ${signer}`
  );
}

function sharedFault(
  store: ObjectStore,
  input: { readonly objectId: string; readonly initialSharedVersion: string; mutable: boolean },
): string | null {
  const { objectId, initialSharedVersion, mutable } = input;
  const object = store.latest(objectId);
  if (!object) return `Could not find the referenced object ${objectId} at version None`;
  const { owner } = object;
  if (owner === 'Immutable' || !('Shared' in owner)) return 'Object used as shared is not shared';
  if (String(owner.Shared.initial_shared_version) !== initialSharedVersion) {
    return "Shared object's starting version does not match";
  }
  if (mutable && object.layout?.name === 'Clock') {
    return `Immutable parameter expected for object ${objectId}`;
  }
  return null;
}

function checkGasBalance(store: ObjectStore, payment: readonly Reference[], budget: bigint): void {
  let balance = 0n;
  for (const { objectId } of payment) {
    const object = store.latest(objectId);
    if (object?.type !== GAS_COIN) throw refuseInputs([`Gas object ${objectId} is not a gas coin`]);
    if (object.owner === 'Immutable') {
      throw refuseInputs(['Gas object is not an owned object with owner: Immutable']);
    }
    balance += object.coin!.balance;
  }
  if (balance > U64_MAX) throw refuseInputs(['The balance of the gas coins overflows']);
  if (balance < budget) {
    throw refuseInputs([
      `Balance of gas object ${balance} is lower than the needed amount: ${budget}`,
    ]);
  }
}

function hex(version: number | string): string {
  return `0x${BigInt(version).toString(16)}`;
}
