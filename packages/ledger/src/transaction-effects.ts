import type { DecodedTransaction } from './decoded-transaction.js';
import type { GasCoin, ObjectReference } from './object-reference.js';

/**
 * The ledger's transaction effects in the node's own JSON (specification, "Effects object"). Only
 * the fields that this service reads are typed; all others pass through unchanged.
 */
export interface TransactionEffects {
  readonly status: { readonly status: string; readonly error?: string };
  readonly transactionDigest: string;
  readonly executedEpoch: string;
  readonly gasUsed: {
    readonly computationCost: string;
    readonly storageCost: string;
    readonly storageRebate: string;
    readonly nonRefundableStorageFee: string;
  };
  readonly gasObject: {
    readonly owner: unknown;
    readonly reference: ObjectReference;
  };
  readonly created?: readonly OwnedReference[];
  readonly mutated?: readonly OwnedReference[];
  readonly deleted?: readonly ObjectReference[];
  readonly [field: string]: unknown;
}

/** A reference and the owner of the object: `{AddressOwner: "0x…"}`, `{Shared: {…}}`, … */
export interface OwnedReference {
  readonly owner: unknown;
  readonly reference: ObjectReference;
}

/**
 * The ledger's charge for a transaction, in the smallest unit; negative if the rebate exceeds the
 * cost.
 */
export function netGas({ gasUsed }: Pick<TransactionEffects, 'gasUsed'>): bigint {
  const { computationCost, storageCost, storageRebate } = gasUsed;
  return BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate);
}

/** The state of the payment coins after a transaction. */
export interface PaidCoins {
  /** The gas coin at its new version; null when it is no longer the sponsor's. */
  readonly gasCoin: GasCoin | null;
  /** Net gas in the smallest unit; negative when the rebate exceeded the cost. */
  readonly gasCharged: bigint;
}

/**
 * All payment coins are merged into the first; its new balance is their sum less the net gas. This
 * needs no node: no other transaction can use the gas coin, and the transaction itself may not use
 * it as an argument. `created` outputs of the sponsor's own splits are taken out of the gas coin as
 * well: `spent` states the amount.
 */
export function settleFromEffects(
  effects: TransactionEffects,
  payment: readonly GasCoin[],
  sponsor: string,
  spent = 0n,
): PaidCoins {
  const gasCharged = netGas(effects);
  const before = payment.reduce((sum, coin) => sum + coin.balance, 0n);
  const { owner, reference } = effects.gasObject;
  const owned =
    typeof owner === 'object' &&
    owner !== null &&
    (owner as { AddressOwner?: unknown }).AddressOwner === sponsor;
  const { objectId, version, digest } = reference;
  return {
    gasCharged,
    gasCoin: owned
      ? { objectId, version: Number(version), digest, balance: before - gasCharged - spent }
      : null,
  };
}

/** State of an object after final effects. */
export interface RecentObject extends ObjectReference {
  /** In the node's own JSON; null: the object was deleted or wrapped. */
  readonly owner: unknown;
}

/** Finds those of these objects that transactions of the fleet have changed recently, by id. */
export type ReadRecentObjects = (
  objectIds: readonly string[],
) => Promise<ReadonlyMap<string, RecentObject>>;

/** Limits the objects that the fleet keeps per transaction; a node soon shows the others. */
const MAX_KEPT = 512;

/**
 * The objects that other transactions may use, or can no longer use, after this one: all its own
 * inputs, and the objects that belong to an address. Excludes the coins that paid for it: only the
 * pool hands these out.
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
