import type { TransactionData } from './engine-interface.js';
import type { DecodedTransaction, Program } from './decode-transaction.js';
import { type InputFault, refuseBytes, refuseInputs } from './engine-error.js';
import { U64_MAX } from './gas-schedule.js';
import type { ObjectStore } from './object-store.js';
import { packagesOf } from './packages-of.js';
import { GAS_COIN } from './type-tag.js';

type Reference = TransactionData['gasData']['payment'][number];

type Fault = string | InputFault;

const NOT_SHARED = 'Object used as shared is not shared';

/** Throws `EngineError` for objects that do not exist, have another version or digest, or are not owned by a signer. */
export function checkInputs(store: ObjectStore, { data, program }: DecodedTransaction): void {
  const { payment, owner, budget } = data.gasData;
  if (payment.length === 0) throw refuseBytes(['Missing gas payment']);
  checkUnique(program, payment);
  const faults = [
    ...programFaults(store, program, data.sender),
    ...payment.flatMap((coin) => ownedFault(store, coin, owner) ?? []),
  ];
  if (faults.length > 0) throw refuseInputs(faults);
  checkGasBalance(store, payment, BigInt(budget));
}

/** What is wrong with the inputs of the program, apart from the gas payment. */
export function programFaults(store: ObjectStore, program: Program, sender: string): Fault[] {
  const ofInputs = program.inputs.map(({ Object: input }) => {
    if (input?.SharedObject) return sharedFault(store, input.SharedObject);
    if (input?.Receiving) return receivedFault(store, input.Receiving);
    return input?.ImmOrOwnedObject ? ownedFault(store, input.ImmOrOwnedObject, sender) : null;
  });
  const ofPackages = packagesOf(program).map((id) => packageFault(store, id));
  return [...ofInputs, ...ofPackages].filter((fault) => fault !== null);
}

/** Throws `EngineError` for objects that appear twice among the inputs, the packages and the payment. */
export function checkUnique(program: Program, payment: readonly Reference[]): void {
  const inputs = program.inputs.flatMap(({ Object: input }) => {
    const object = input?.ImmOrOwnedObject ?? input?.SharedObject ?? input?.Receiving;
    return object ? [object.objectId] : [];
  });
  const objects = [...inputs, ...packagesOf(program)];
  const ids = new Set(objects);
  if (ids.size < objects.length) {
    throw refuseBytes(["The transaction inputs contain duplicated ObjectRef's"]);
  }
  for (const { objectId } of payment) {
    if (ids.has(objectId)) {
      throw refuseBytes([
        `Mutable object ${objectId} cannot appear more than once in one transaction`,
      ]);
    }
    ids.add(objectId);
  }
}

function ownedFault(store: ObjectStore, reference: Reference, signer: string): Fault | null {
  return referenceFault(store, reference) ?? ownershipFault(store, reference.objectId, signer);
}

/** The parent is not checked: Move does that when the object is received. */
function receivedFault(store: ObjectStore, reference: Reference): Fault | null {
  const fault = referenceFault(store, reference);
  if (fault !== null) return fault;
  const { objectId } = reference;
  const { owner } = store.latest(objectId)!;
  if (owner === 'Immutable') return 'Immutable parameter provided, mutable parameter expected';
  if ('Shared' in owner) return NOT_SHARED;
  return 'ObjectOwner' in owner ? childFault(objectId, owner.ObjectOwner) : null;
}

/** Checks that the object exists, has this version and digest, and is not a package. */
function referenceFault(
  store: ObjectStore,
  { objectId, version, digest }: Reference,
): Fault | null {
  const object = store.latest(objectId);
  if (!object) {
    return missing(
      `Could not find the referenced object ${objectId} at version Some(SequenceNumber(${version}))`,
    );
  }
  if (String(object.version) !== String(version)) {
    return (
      `Object ID ${objectId} Version ${hex(version)} Digest ${digest} is not available for consumption, ` +
      `current version: ${hex(object.version)}`
    );
  }
  if (object.type === 'package') {
    return `A move object is expected, instead a move package is passed: ${objectId}`;
  }
  if (object.digest === digest) return null;
  return `Invalid Object digest for object ${objectId}. Expected digest : ${object.digest}`;
}

function ownershipFault(store: ObjectStore, objectId: string, signer: string): string | null {
  const { owner } = store.latest(objectId)!;
  if (owner === 'Immutable') return null;
  if ('Shared' in owner) return NOT_SHARED;
  if ('ObjectOwner' in owner) return childFault(objectId, owner.ObjectOwner);
  if (owner.AddressOwner === signer) return null;
  return (
    `Transaction was not signed by the correct sender: Object ${objectId} is owned by account address ` +
    `${owner.AddressOwner}, but given owner/signer address is ${signer}`
  );
}

function childFault(child: string, parent: string): string {
  return `Object ${child} is owned by object ${parent}. Objects owned by other objects cannot be used as input arguments`;
}

function sharedFault(
  store: ObjectStore,
  input: { readonly objectId: string; readonly initialSharedVersion: string; mutable: boolean },
): Fault | null {
  const { objectId, initialSharedVersion, mutable } = input;
  const object = store.latest(objectId);
  if (!object) return missing(`Could not find the referenced object ${objectId} at version None`);
  const { owner } = object;
  if (owner === 'Immutable' || !('Shared' in owner)) return NOT_SHARED;
  if (String(owner.Shared.initial_shared_version) !== initialSharedVersion) {
    return 'Wrong initial version given for shared object';
  }
  if (mutable && object.layout?.name === 'Clock') {
    return 'Mutable parameter provided, immutable parameter expected';
  }
  return null;
}

function packageFault(store: ObjectStore, id: string): Fault | null {
  const object = store.latest(id);
  if (!object) return missing(`Dependent package not found on-chain: ${id}`);
  if (object.type === 'package') return null;
  return `A move package is expected, instead a move object is passed: ${id}`;
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

function missing(text: string): InputFault {
  return { text, missing: true };
}

function hex(version: number | string): string {
  return `0x${BigInt(version).toString(16)}`;
}
