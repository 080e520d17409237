import type { bcs } from '@iota/iota-sdk/bcs';

/** `objectId` is `0x` and 64 hex digits, `digest` base58. */
export interface ObjectReference {
  readonly objectId: string;
  readonly version: number;
  readonly digest: string;
}

/** In the form of a node's JSON. */
export type Owner =
  | { readonly AddressOwner: string }
  | { readonly ObjectOwner: string }
  | { readonly Shared: { readonly initial_shared_version: number } }
  | 'Immutable';

/** A Move value in a node's JSON: u64 and larger are decimal strings, addresses are 0x + 64 hex. */
export type MoveJson =
  string | number | boolean | null | MoveJson[] | { [field: string]: MoveJson };

/** One version of an object. Immutable. */
export interface ObjectRecord extends ObjectReference {
  readonly owner: Owner;
  /** `package`, or the struct's tag as a node shows it (`0x2::coin::Coin<0x2::iota::IOTA>`). */
  readonly type: string;
  /** Digest of the transaction that wrote this version. */
  readonly previousTransaction: string;
  /** The storage deposit that its deletion refunds. */
  readonly storageRebate: bigint;
  /** Whether the type has `store`. */
  readonly hasPublicTransfer: boolean;
  /** BCS of the Move struct; empty for a package. */
  readonly contents: Uint8Array;
  /** BCS of the whole object, of which the digest is the hash. */
  readonly bcs: Uint8Array;
  /** The struct's fields; `id` is shown as `{"id":"0x…"}`. */
  readonly fields: { [field: string]: MoveJson };
  /** Of a coin: its type (`0x2::iota::IOTA`) and value; else null. */
  readonly coin: { readonly coinType: string; readonly balance: bigint } | null;
  readonly reference: ObjectReference;
}

export type TransactionData = NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>;

export interface GasCostSummary {
  readonly computationCost: bigint;
  readonly computationCostBurned: bigint;
  readonly storageCost: bigint;
  readonly storageRebate: bigint;
  readonly nonRefundableStorageFee: bigint;
}

export interface OwnedReference {
  readonly owner: Owner;
  readonly reference: ObjectReference;
}

export type ExecutionStatus =
  | { readonly status: 'success' }
  | {
      readonly status: 'failure';
      readonly error: string;
      /** Devnet's alternative, which is not part of the effects. */
      readonly hint?: string;
    };

/** `renderEffects` turns it into the node's JSON. */
export interface EffectsRecord {
  readonly status: ExecutionStatus;
  readonly executedEpoch: bigint;
  readonly gasUsed: GasCostSummary;
  readonly modifiedAtVersions: readonly { readonly objectId: string; readonly version: number }[];
  readonly sharedObjects: readonly ObjectReference[];
  readonly transactionDigest: string;
  readonly created: readonly OwnedReference[];
  /** Contains the gas object. */
  readonly mutated: readonly OwnedReference[];
  readonly unwrapped: readonly OwnedReference[];
  readonly deleted: readonly ObjectReference[];
  readonly unwrappedThenDeleted: readonly ObjectReference[];
  readonly wrapped: readonly ObjectReference[];
  readonly gasObject: OwnedReference;
  readonly eventsDigest: string | null;
  readonly dependencies: readonly string[];
  /** Version of everything this transaction wrote. */
  readonly lamportVersion: number;
  /** Base58; names these effects in checkpoints. */
  readonly digest: string;
}

/** A Move event. Digest and sequence name its transaction. */
export interface EventRecord {
  readonly id: { readonly txDigest: string; readonly eventSeq: number };
  readonly packageId: string;
  readonly transactionModule: string;
  readonly sender: string;
  readonly type: string;
  readonly fields: { [field: string]: MoveJson };
  readonly bcs: Uint8Array;
  readonly timestampMs: number;
}

/** A node's `objectChanges`; versions are numbers here, strings on the wire. */
export type ObjectChange =
  | {
      readonly type: 'created';
      readonly sender: string;
      readonly owner: Owner;
      readonly objectType: string;
      readonly objectId: string;
      readonly version: number;
      readonly digest: string;
    }
  | {
      readonly type: 'mutated';
      readonly sender: string;
      readonly owner: Owner;
      readonly objectType: string;
      readonly objectId: string;
      readonly version: number;
      readonly previousVersion: number;
      readonly digest: string;
    }
  | {
      readonly type: 'transferred';
      readonly sender: string;
      readonly recipient: Owner;
      readonly objectType: string;
      readonly objectId: string;
      readonly version: number;
      readonly digest: string;
    }
  | {
      readonly type: 'published';
      readonly packageId: string;
      readonly version: number;
      readonly digest: string;
      /** Names of the modules. */
      readonly modules: readonly string[];
    }
  | {
      readonly type: 'deleted' | 'wrapped';
      readonly sender: string;
      readonly objectType: string;
      readonly objectId: string;
      readonly version: number;
    };

export interface BalanceChange {
  readonly owner: Owner;
  readonly coinType: string;
  /** Signed, in the smallest unit. */
  readonly amount: bigint;
}

/** The result of executing bytes, kept or not (dry run). */
export interface ExecutionRecord {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly data: TransactionData;
  readonly effects: EffectsRecord;
  readonly events: readonly EventRecord[];
  readonly objectChanges: readonly ObjectChange[];
  readonly balanceChanges: readonly BalanceChange[];
  readonly timestampMs: number;
}

/** An execution that is not kept; objects by id. */
export interface SimulatedExecution extends ExecutionRecord {
  /** Everything that it was given, packages included. */
  readonly inputObjects: readonly ObjectRecord[];
  readonly outputObjects: readonly ObjectRecord[];
}

export interface ExecutedTransaction extends ExecutionRecord {
  /** Position in the ledger's total order; genesis is 0. */
  readonly sequence: number;
  /** Base64, as submitted. */
  readonly signatures: readonly string[];
  /** Sequence number of its checkpoint; null until that is sealed. */
  readonly checkpoint: number | null;
}

export interface CheckpointRecord {
  readonly sequenceNumber: number;
  readonly digest: string;
  readonly previousDigest: string | null;
  readonly epoch: bigint;
  readonly timestampMs: number;
  /** Digests, in order. */
  readonly transactions: readonly string[];
  /** Transactions on the ledger up to and with this checkpoint. */
  readonly networkTotalTransactions: number;
  readonly epochRollingGasCostSummary: GasCostSummary;
  /** Whether the epoch ends with it. */
  readonly endOfEpoch: boolean;
}

/** An epoch that has begun; `last…` and `end…`: null until it ends. */
export interface EpochRecord {
  readonly epoch: bigint;
  readonly firstCheckpoint: number;
  readonly lastCheckpoint: number | null;
  /** In ms since 1970, as `endMs`. */
  readonly startMs: number;
  readonly endMs: number | null;
  /** The last one in force. */
  readonly referenceGasPrice: bigint;
}

/** Events of the ledger: the name of each, and its listeners' arguments. */
export interface LedgerChanges {
  executed: [transaction: ExecutedTransaction];
  checkpoint: [checkpoint: CheckpointRecord];
  epoch: [epoch: bigint];
  gasPrice: [price: bigint];
  /** The shared clock has a new version; simulations set it too. */
  clock: [timestampMs: number];
  /** The number of transactions before the first remaining one. */
  pruned: [dropped: number];
}
