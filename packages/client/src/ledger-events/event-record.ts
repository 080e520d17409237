/** The kinds of events, in the spelling of criteria and filters. */
export type EventKind =
  | 'MoveEvent'
  | 'Publish'
  | 'TransferObject'
  | 'DeleteObject'
  | 'NewObject'
  | 'EpochChange'
  | 'Checkpoint';

/** Who owns an object. Addresses are `0x` and 64 hex digits. */
export type Owner =
  | { readonly AddressOwner: string }
  | { readonly ObjectOwner: string }
  | { readonly Shared: { readonly initial_shared_version: number } }
  | 'Immutable';

/** A custom event of a Move call. */
export interface MoveEvent {
  readonly packageId: string;
  readonly transactionModule: string;
  readonly sender: string;
  /** `<package>::<module>::<struct>`, with type parameters where the struct has them. */
  readonly type: string;
  /** u64 and larger are decimal strings, addresses `0x` and 64 hex digits. */
  readonly fields: unknown;
  /** Base64. */
  readonly bcs: string;
}

export interface PublishEvent {
  readonly sender: string;
  readonly packageId: string;
}

export interface DeleteObjectEvent {
  readonly packageId: string;
  readonly transactionModule: string;
  readonly sender: string;
  readonly objectId: string;
}

export interface NewObjectEvent extends DeleteObjectEvent {
  readonly recipient: Owner;
}

export interface TransferObjectEvent extends NewObjectEvent {
  readonly version: number;
  /** Type of the object. */
  readonly type: string;
}

/** One event: exactly one key, which names its kind. */
export type LedgerEvent =
  | { readonly moveEvent: MoveEvent }
  | { readonly publish: PublishEvent }
  | { readonly transferObject: TransferObjectEvent }
  | { readonly deleteObject: DeleteObjectEvent }
  | { readonly newObject: NewObjectEvent }
  /** Number of the epoch. */
  | { readonly epochChange: number }
  /** Sequence number of the checkpoint. */
  | { readonly checkpoint: number };

/** An event's place in the ledger: transactions in the ledger's order, and events in order inside one. */
export interface EventId {
  readonly txSeq: number;
  readonly eventSeq: number;
}

/** The record that a query and a subscription deliver. */
export interface StoredEventRecord {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** Base64. */
  readonly txDigest: string;
  readonly id: EventId;
  readonly event: LedgerEvent;
}
