import { fault, type InputFault, inputFaults } from './input-fault.js';
import type { UsableObjects } from './object-store.js';
import type { Reference, SharedUse } from './object-uses.js';

/** Faults of the gas payment, and violations of protocol limits, in the node's words. */
export const limitFaults = {
  missingGasPayment: () => fault('Transaction gas payment missing', 'MissingGasPayment'),

  notGas: (id: string) =>
    fault(`Object ${id} is not a gas object`, `InvalidGasObject { object_id: ${id} }`),

  gasNotOwned: (owner: string) =>
    fault(
      `Gas object is not an owned object with owner: ${owner}`,
      `GasObjectNotOwnedObject { owner: ${owner} }`,
    ),

  balanceTooLow: (balance: bigint, needed: bigint) =>
    fault(
      `Balance of gas object ${balance} is lower than the needed amount: ${needed}`,
      `GasBalanceTooLow { gas_balance: ${balance}, needed_gas_amount: ${needed} }`,
    ),

  priceTooLow: (price: bigint, reference: bigint) =>
    fault(
      `Gas price ${price} under reference gas price (RGP) ${reference}`,
      `GasPriceUnderRGP { gas_price: ${price}, reference_gas_price: ${reference} }`,
    ),

  priceTooHigh: (max: bigint) =>
    fault(`Gas price cannot exceed ${max} nanos`, `GasPriceTooHigh { max_gas_price: ${max} }`),

  budgetTooHigh: (budget: bigint, max: bigint) =>
    fault(
      `Gas budget: ${budget} is higher than max: ${max}`,
      `GasBudgetTooHigh { gas_budget: ${budget}, max_budget: ${max} }`,
    ),

  budgetTooLow: (budget: bigint, min: bigint) =>
    fault(
      `Gas budget: ${budget} is lower than min: ${min}`,
      `GasBudgetTooLow { gas_budget: ${budget}, min_budget: ${min} }`,
    ),

  tooLarge: (limit: string, value: number) =>
    fault(
      `Size limit exceeded: ${limit} is ${value}`,
      `SizeLimitExceeded { limit: "${limit}", value: "${value}" }`,
    ),

  tooManyPackages: (max: number, made: number) =>
    fault(
      `${max} max publish/upgrade commands allowed, ${made} provided`,
      `MaxPublishCountExceeded { max_publish_commands: ${max}, publish_count: ${made} }`,
    ),

  emptyCommand: () =>
    fault(
      'TransferObjects, MergeCoin, and Publish cannot have empty arguments. ' +
        'If MakeMoveVec has empty arguments, it must have a type specified',
      'EmptyCommandInput',
    ),
} as const;

/**
 * Checks whether the ledger has never had the object in this version; `unknownAt`: the version in the text
 * where the ledger knows none.
 */
export function absence(
  store: UsableObjects,
  { objectId, version }: Reference,
  unknownAt: string | null,
): InputFault | null {
  const lookup = store.lookup(objectId);
  if (lookup.kind === 'unknown') return inputFaults.objectNotFound(objectId, unknownAt);
  const latest = lookup.kind === 'found' ? lookup.object.version : lookup.reference.version;
  return latest < Number(version) ? inputFaults.objectNotFound(objectId, version) : null;
}

export function packageAbsence(store: UsableObjects, id: string): InputFault | null {
  return store.latest(id) ? null : inputFaults.packageNotFound(id);
}

export function sharedAbsence(store: UsableObjects, { objectId }: SharedUse): InputFault | null {
  return store.latest(objectId) ? null : inputFaults.objectNotFound(objectId, null);
}

/**
 * Checks whether the object has a newer version now, or none. A node still has the old one: it detects this
 * at the locks, after all other faults.
 */
export function staleness(store: UsableObjects, reference: Reference): InputFault | null {
  const latest = store.latest(reference.objectId);
  if (!latest) return inputFaults.objectNotFound(reference.objectId, null);
  return isCurrent(store, reference) ? null : inputFaults.unavailable(reference, latest.version);
}

/** For an object that the ledger has had; `staleness` checks for an old version. */
export function ownedFault(
  store: UsableObjects,
  reference: Reference,
  signer: string,
): InputFault | null {
  if (!isCurrent(store, reference)) return null;
  const { objectId } = reference;
  const { owner } = store.latest(objectId)!;
  const fault = contentFault(store, reference);
  if (fault !== null || owner === 'Immutable') return fault;
  if ('Shared' in owner) return inputFaults.notShared();
  if ('ObjectOwner' in owner) return inputFaults.child(objectId, owner.ObjectOwner);
  if (owner.AddressOwner === signer) return null;
  return inputFaults.wrongSender(objectId, owner.AddressOwner, signer);
}

/** The parent is not checked: Move does that when the object is received. */
export function receivedFault(store: UsableObjects, reference: Reference): InputFault | null {
  if (!isCurrent(store, reference)) return null;
  const { objectId } = reference;
  const { owner } = store.latest(objectId)!;
  const fault = contentFault(store, reference);
  if (fault !== null) return fault;
  if (owner === 'Immutable') return inputFaults.mustBeMutable(objectId);
  if ('Shared' in owner) return inputFaults.notShared();
  return 'ObjectOwner' in owner ? inputFaults.child(objectId, owner.ObjectOwner) : null;
}

export function sharedFault(store: UsableObjects, input: SharedUse): InputFault | null {
  const { objectId, initialSharedVersion, mutable } = input;
  const { owner, layout } = store.latest(objectId)!;
  if (owner === 'Immutable' || !('Shared' in owner)) return inputFaults.notShared();
  if (String(owner.Shared.initial_shared_version) !== initialSharedVersion) {
    return inputFaults.wrongInitialVersion();
  }
  return mutable && layout?.name === 'Clock' ? inputFaults.mustBeImmutable(objectId) : null;
}

export function packageFault(store: UsableObjects, id: string): InputFault | null {
  return store.latest(id)!.type === 'package' ? null : inputFaults.objectAsPackage(id);
}

function contentFault(store: UsableObjects, { objectId, digest }: Reference): InputFault | null {
  const object = store.latest(objectId)!;
  if (object.type === 'package') return inputFaults.packageAsObject(objectId);
  return object.digest === digest ? null : inputFaults.wrongDigest(objectId, object.digest);
}

function isCurrent(store: UsableObjects, { objectId, version }: Reference): boolean {
  return String(store.latest(objectId)?.version) === String(version);
}
