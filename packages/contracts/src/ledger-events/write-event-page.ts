import type { EventPage } from './event-methods.js';
import type { StoredEventRecord } from './ledger-event.js';

/** Writes a page with only the attributes that the specification names, even if the node reports more. */
export function writeEventPage({ data, nextCursor }: EventPage): EventPage {
  return { data: data.map(writeEventRecord), nextCursor };
}

/** Writes a record with only the attributes that the specification names (specification, "Ledger events"). */
export function writeEventRecord(record: StoredEventRecord): StoredEventRecord {
  const { event } = record;
  if ('newObject' in event) {
    const { packageId, transactionModule, sender, recipient, objectId } = event.newObject;
    const newObject = { packageId, transactionModule, sender, recipient, objectId };
    return { ...record, event: { newObject } };
  }
  if ('deleteObject' in event) {
    const { packageId, transactionModule, sender, objectId } = event.deleteObject;
    return {
      ...record,
      event: { deleteObject: { packageId, transactionModule, sender, objectId } },
    };
  }
  return record;
}
