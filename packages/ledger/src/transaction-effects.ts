import type { ObjectReference } from './object-reference.js';

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
