/** JSON of the ledger, passed on unchanged. */
export type LedgerJson = Readonly<Record<string, unknown>>;

export interface ObjectReference {
  readonly objectId: string;
  readonly version: number;
  /** Base58. */
  readonly digest: string;
}

/** An object and its owner, such as `{ AddressOwner: '0x…' }`, `{ Shared: … }` or `'Immutable'`. */
export interface OwnedReference {
  readonly owner: unknown;
  readonly reference: ObjectReference;
}

/** The effects of a transaction. Fields that are not listed here are passed on too; empty lists may be absent. */
export interface TransactionEffects {
  readonly status: { readonly status: 'success' | 'failure'; readonly error?: string };
  /** Base58. */
  readonly transactionDigest: string;
  /** Decimal. */
  readonly executedEpoch: string;
  /** Decimals, in the ledger's smallest unit. */
  readonly gasUsed: {
    readonly computationCost: string;
    readonly computationCostBurned: string;
    readonly storageCost: string;
    readonly storageRebate: string;
    readonly nonRefundableStorageFee: string;
  };
  readonly gasObject: OwnedReference;
  readonly created?: readonly OwnedReference[];
  readonly mutated?: readonly OwnedReference[];
  readonly deleted?: readonly ObjectReference[];
  readonly sharedObjects?: readonly ObjectReference[];
  readonly modifiedAtVersions?: readonly {
    readonly objectId: string;
    readonly sequenceNumber: string;
  }[];
  readonly eventsDigest?: string;
  /** Base58. */
  readonly dependencies?: readonly string[];
  readonly [field: string]: unknown;
}
