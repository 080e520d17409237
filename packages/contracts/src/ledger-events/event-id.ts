import { invalidParams } from '@forecourt/json-rpc';
import { describeArrived } from '../validation/describe-arrived.js';
import type { EventId } from './ledger-event.js';
import { readFields, readInteger } from './read-value.js';

/**
 * Room for the events of one transaction: protocol limits allow 1024 emitted events and a few thousand changed
 * objects. Leaves 2^39 transactions below 2^53.
 */
const EVENTS_PER_TRANSACTION = 2 ** 14;
const TRANSACTIONS = 2 ** 39;

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

/** The cursor that names the event `id`: an integer, opaque to clients. */
export function writeCursor({ txSeq, eventSeq }: EventId): number {
  return txSeq * EVENTS_PER_TRANSACTION + eventSeq;
}

/** Reads a former `nextCursor`. Throws -32602. */
export function readCursor(value: unknown, name: string): EventId {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(
      `Invalid params: ${name} must be null or the value of a former nextCursor; got ${describeArrived(value)}`,
    );
  }
  const eventSeq = value % EVENTS_PER_TRANSACTION;
  return { txSeq: (value - eventSeq) / EVENTS_PER_TRANSACTION, eventSeq };
}

/** Reads an event's id where a cursor is expected: it names the first event of the page. Throws -32602. */
export function readIdAsCursor(value: object, name: string): EventId {
  const [txSeq, eventSeq] = readFields(value, name, 'txSeq', 'eventSeq');
  const id = {
    txSeq: readInteger(txSeq, `${name}.txSeq`),
    eventSeq: readInteger(eventSeq, `${name}.eventSeq`),
  };
  if (id.eventSeq >= EVENTS_PER_TRANSACTION || !Number.isSafeInteger(writeCursor(id))) {
    throw invalidParams(
      `Invalid params: ${name} names no event: txSeq must be below ${TRANSACTIONS}, eventSeq below ${EVENTS_PER_TRANSACTION}`,
    );
  }
  return id;
}
