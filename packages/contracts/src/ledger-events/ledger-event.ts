/** The kinds of events, in the spelling of filters and criteria (specification, "Events"). */
export const eventKinds = [
  'MoveEvent',
  'Publish',
  'TransferObject',
  'DeleteObject',
  'NewObject',
  'EpochChange',
  'Checkpoint',
] as const;

export type EventKind = (typeof eventKinds)[number];

/** The owner of an object, as a node's JSON shows it. Addresses are `0x` and 64 hex digits. */
export type Owner =
  | { readonly AddressOwner: string }
  | { readonly ObjectOwner: string }
  | { readonly Shared: { readonly initial_shared_version: number } }
  | 'Immutable';

/** A custom event of a Move call. */
interface MoveEvent {
  readonly packageId: string;
  readonly transactionModule: string;
  readonly sender: string;
  /** `<package_id>::<module>::<struct_name>`, with type parameters where the struct has them. */
  readonly type: string;
  /** u64 and larger are decimal strings, addresses `0x` and 64 hex digits. */
  readonly fields: unknown;
  /** Base64. */
  readonly bcs: string;
}

interface PublishEvent {
  readonly sender: string;
  readonly packageId: string;
}

export interface DeleteObjectEvent {
  readonly packageId: string;
  readonly transactionModule: string;
  readonly sender: string;
  readonly objectId: string;
  /** The version at which the object was written or deleted, if the node reports it. */
  readonly version?: number;
}

export interface NewObjectEvent extends DeleteObjectEvent {
  readonly recipient: Owner;
  /** Type of the object, if the node reports it. */
  readonly objectType?: string;
}

export interface TransferObjectEvent extends NewObjectEvent {
  readonly version: number;
  /** Type of the object. */
  readonly type: string;
}

/** One event: exactly one key, which names its kind (specification, "Ledger events"). */
export type LedgerEvent =
  | { readonly moveEvent: MoveEvent }
  | { readonly publish: PublishEvent }
  | { readonly transferObject: TransferObjectEvent }
  | { readonly deleteObject: DeleteObjectEvent }
  | { readonly newObject: NewObjectEvent }
  | { readonly epochChange: number }
  | { readonly checkpoint: number };

/** The record that a query returns and a subscription delivers (specification, "Stored event record"). */
export interface StoredEventRecord {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** Base64. */
  readonly txDigest: string;
  readonly id: EventId;
  readonly event: LedgerEvent;
}

/** An event's place in the ledger: transactions in the ledger's total order, events in order inside one. */
export interface EventId {
  readonly txSeq: number;
  readonly eventSeq: number;
}

/**
 * Room for the events of one transaction and of its checkpoint: protocol limits allow 1024 emitted events and
 * a few thousand changed objects. Leaves 2^39 transactions below 2^53.
 */
export const EVENTS_PER_TRANSACTION = 2 ** 14;
export const TRANSACTIONS = 2 ** 39;

/**
 * The end of a transaction: above every `eventSeq`. Events of checkpoints without transactions follow those
 * of the transaction before them, so that only time bounds their number.
 */
export const LAST_EVENT_SEQ = 2 ** 32;

/** The lowest id. */
export const FIRST_EVENT_ID: EventId = { txSeq: 0, eventSeq: 0 };

/** Negative, zero or positive, as the ledger orders them. */
export function compareEventIds(a: EventId, b: EventId): number {
  return a.txSeq - b.txSeq || a.eventSeq - b.eventSeq;
}

/** The next possible id. */
export function nextEventId({ txSeq, eventSeq }: EventId): EventId {
  return { txSeq, eventSeq: eventSeq + 1 };
}

/** The greatest id below `id`; null below the first. */
export function previousEventId({ txSeq, eventSeq }: EventId): EventId | null {
  if (eventSeq > 0) return { txSeq, eventSeq: eventSeq - 1 };
  return txSeq > 0 ? { txSeq: txSeq - 1, eventSeq: LAST_EVENT_SEQ } : null;
}

/** An id as an integer in the same order. An `eventSeq` without room is that of the last event. */
export function writeCursor({ txSeq, eventSeq }: EventId): number {
  return txSeq * EVENTS_PER_TRANSACTION + Math.min(eventSeq, EVENTS_PER_TRANSACTION - 1);
}
