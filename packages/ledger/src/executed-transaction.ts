import type { ObjectReference } from './object-reference.js';

/** A transaction that the ledger has executed. Addresses and ids are in full form. */
export interface ExecutedTransaction {
  /** Base58. */
  readonly digest: string;
  readonly effects: TransactionEffects;
  /** Of the ledger's own transactions, as their gas owner: the zero address. */
  readonly sender: string;
  readonly gasOwner: string;
  readonly gasPayment: readonly ObjectReference[];
  readonly gasBudget: bigint;
  /** In order: `MoveCall 0x…::module::function`, `TransferObjects`, … */
  readonly commands: readonly string[];
  /** The version of each existing object before the transaction changed it, by id. */
  readonly versionsBefore: ReadonlyMap<string, number>;
  /** The version of each object that it has written, by id. */
  readonly versionsAfter: ReadonlyMap<string, number>;
  /** The transactions that made its inputs. */
  readonly dependencies: readonly string[];
  /** Time of its checkpoint in ms since 1970, by the ledger's clock; null: the node does not tell. */
  readonly executedAt: number | null;
}

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
