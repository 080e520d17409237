import { type EventCriterion, readEventCriterion } from './event-criterion.js';
import { type EventFilter, type FilterLimits, readEventFilter } from './event-filter.js';
import type { EventId, StoredEventRecord } from './ledger-event.js';
import { isAbsent, readInteger, readLimit, readOrdering, readPositions } from './read-value.js';
import {
  type EventAnchor,
  type EventPosition,
  readPosition,
  readResume,
  writePosition,
} from './event-position.js';

/** The methods of the ledger's events, without their prefix (`ledger_`). */
export const eventMethods = {
  getEvents: 'getEvents',
  subscribeEvent: 'subscribeEvent',
  unsubscribeEvent: 'unsubscribeEvent',
} as const;

export type EventMethod = keyof typeof eventMethods;

export interface GetEventsRequest {
  readonly criterion: EventCriterion;
  /** The first event of the page; null for the first page. */
  readonly cursor: EventId | null;
  readonly limit: number;
  /** Newest first. */
  readonly descending: boolean;
}

/** A request of a client. */
export interface EventQuery extends GetEventsRequest {
  /** The ledger that the cursor belongs to. */
  readonly anchor: EventAnchor | null;
}

/**
 * A page of events. `nextCursor` is the position of the first event not yet returned; null after the last
 * one.
 */
export interface EventPage {
  readonly data: readonly StoredEventRecord[];
  readonly nextCursor: EventId | null;
}

export interface SubscribeEventRequest {
  readonly filter: EventFilter;
  /** Replay begins here; null: live events only. */
  readonly from: EventPosition | null;
}

/** A page in the format of a method. */
export interface WrittenPage {
  readonly data: readonly unknown[];
  readonly nextCursor: unknown;
}

/** The format of the methods' params and results. Every reader throws -32602. */
export interface MethodFormat {
  readGetEvents(params: unknown): EventQuery;
  readSubscribeEvent(params: unknown, limits: FilterLimits): SubscribeEventRequest;
  readUnsubscribeEvent(params: unknown): number;

  /** Throws -32000 if the node has left out an attribute of the format. */
  writePage(page: EventPage): WrittenPage;

  /** Throws -32000 if the node has left out an attribute of the format. */
  writeRecord(record: StoredEventRecord): unknown;
}

/** The full name by which a method was called, such as `ledger_getEvents`, and its format. */
export interface CalledMethod {
  readonly name: string;
  readonly format: MethodFormat;
}

/** Params of `getEvents`: criterion, cursor, limit, ordering. Throws -32602 naming the position. */
export function readGetEvents(params: unknown): EventQuery {
  const [query, cursor, limit, ordering] = readPositions(params, 1, 4);
  const position = isAbsent(cursor) ? null : readPosition(cursor, 'position 2 (cursor)');
  return {
    criterion: readEventCriterion(query, 'position 1 (query)'),
    cursor: position && position.id,
    anchor: position && position.anchor,
    limit: readLimit(limit, 'position 3 (limit)'),
    descending: readOrdering(ordering, 'position 4 (ordering)'),
  };
}

/** Params of `subscribeEvent`: filter and, optionally, where to resume. Throws -32602 naming the position. */
export function readSubscribeEvent(params: unknown, limits: FilterLimits): SubscribeEventRequest {
  const [filter, resume] = readPositions(params, 1, 2);
  return {
    filter: readEventFilter(filter, 'position 1 (filter)', limits),
    from: readResume(resume, 'position 2 (resume)'),
  };
}

/** Params of `unsubscribeEvent`: the subscription's id. Throws -32602 naming the position. */
export function readUnsubscribeEvent(params: unknown): number {
  const [id] = readPositions(params, 1, 1);
  return readInteger(id, 'position 1 (subscription)');
}

/** Writes a page with only the attributes that the specification names, even if the node reports more. */
export function writeEventPage({ data, nextCursor }: EventPage) {
  return {
    data: data.map(writeEventRecord),
    nextCursor: nextCursor && writePosition(nextCursor, data.at(-1)),
  };
}

/** Writes a record with only the attributes that the specification names (specification, "Ledger events"). */
function writeEventRecord(record: StoredEventRecord): StoredEventRecord {
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

/** The format of the specification, for methods whose names begin with `ledger_`. */
export const specifiedFormat: MethodFormat = {
  readGetEvents,
  readSubscribeEvent,
  readUnsubscribeEvent,
  writePage: writeEventPage,
  writeRecord: writeEventRecord,
};
