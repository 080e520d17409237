import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { readCursor } from './event-id.js';
import type { EventPage } from './event-methods.js';
import type {
  DeleteObjectEvent,
  EventId,
  LedgerEvent,
  NewObjectEvent,
  StoredEventRecord,
  TransferObjectEvent,
} from './ledger-event.js';

// Results under an alias have exactly the attributes of nodes of December 2022: programs of that time reject records with a
// missing or an unknown attribute.

type ObjectType = { readonly objectType: string };
type Version = { readonly version: number };

export type AliasEvent =
  | Exclude<
      LedgerEvent,
      { newObject: unknown } | { deleteObject: unknown } | { transferObject: unknown }
    >
  | { readonly newObject: NewObjectEvent & ObjectType & Version }
  | { readonly deleteObject: DeleteObjectEvent & Version }
  | { readonly transferObject: Omit<TransferObjectEvent, 'type'> & ObjectType };

export interface AliasRecord extends Omit<StoredEventRecord, 'event'> {
  readonly event: AliasEvent;
}

/** `nextCursor` is the id of the first event not yet returned. */
export interface AliasPage {
  readonly data: readonly AliasRecord[];
  readonly nextCursor: EventId | null;
}

/** Throws -32000 if the node does not report an attribute. */
export function writeAliasPage({ data, nextCursor }: EventPage): AliasPage {
  return {
    data: data.map(writeAliasRecord),
    nextCursor: nextCursor === null ? null : readCursor(nextCursor, 'nextCursor'),
  };
}

/** Throws -32000 if the node does not report an attribute. */
export function writeAliasRecord(record: StoredEventRecord): AliasRecord {
  return { ...record, event: writeAliasEvent(record.event) };
}

function writeAliasEvent(event: LedgerEvent): AliasEvent {
  if ('newObject' in event) {
    const { packageId, transactionModule, sender, recipient, objectId } = event.newObject;
    const objectType = requireReported(event.newObject.objectType, 'the type of new objects');
    const version = requireReported(event.newObject.version, 'the version of new objects');
    const origin = { packageId, transactionModule, sender };
    return { newObject: { ...origin, recipient, objectType, objectId, version } };
  }
  if ('deleteObject' in event) {
    const { packageId, transactionModule, sender, objectId } = event.deleteObject;
    const version = requireReported(event.deleteObject.version, 'the version of deleted objects');
    return { deleteObject: { packageId, transactionModule, sender, objectId, version } };
  }
  if ('transferObject' in event) {
    const { type: objectType, ...others } = event.transferObject;
    return { transferObject: { ...others, objectType } };
  }
  return event;
}

function requireReported<T>(value: T | undefined, attribute: string): T {
  if (value !== undefined) return value;
  throw new JsonRpcError(
    JsonRpcCode.callFailed,
    `The ledger node does not report ${attribute}, which this method returns; ledger_getEvents and ledger_subscribeEvent return such events without it`,
  );
}
