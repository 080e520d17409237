import { invalidParams } from '@forecourt/json-rpc';
import { type EventCriterion, readEventCriterion } from './event-criterion.js';
import { type EventFilter, type FilterLimits, readEventFilter } from './event-filter.js';
import { nextEventId, readCursor } from './event-id.js';
import type { EventId, StoredEventRecord } from './ledger-event.js';
import { mustBe, readFields, readInteger } from './read-value.js';

/** The methods of the ledger's events, without their prefix (`ledger_`). */
export const eventMethods = {
  getEvents: 'getEvents',
  subscribeEvent: 'subscribeEvent',
  unsubscribeEvent: 'unsubscribeEvent',
} as const;

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1_000;

export interface GetEventsRequest {
  readonly criterion: EventCriterion;
  /** The first event of the page; null for the first page. */
  readonly cursor: EventId | null;
  readonly limit: number;
  /** Newest first. */
  readonly descending: boolean;
}

/** A page of events. `nextCursor` names the first event not yet returned; null when there is none. */
export interface EventPage {
  readonly data: readonly StoredEventRecord[];
  readonly nextCursor: number | null;
}

export interface SubscribeEventRequest {
  readonly filter: EventFilter;
  /** Replay begins at this id; null: only what happens from now on. */
  readonly from: EventId | null;
}

/** Params of `getEvents`: criterion, cursor, limit, ordering. Throws -32602 naming the position. */
export function readGetEvents(params: unknown): GetEventsRequest {
  const [query, cursor, limit, ordering] = readPositions(params, 1, 4);
  return {
    criterion: readEventCriterion(query, 'position 1 (query)'),
    cursor: isAbsent(cursor) ? null : readCursor(cursor, 'position 2 (cursor)'),
    limit: isAbsent(limit) ? DEFAULT_PAGE : readLimit(limit),
    descending: readOrdering(ordering),
  };
}

/** Params of `subscribeEvent`: filter and, optionally, where to resume. Throws -32602 naming the position. */
export function readSubscribeEvent(params: unknown, limits: FilterLimits): SubscribeEventRequest {
  const [filter, resume] = readPositions(params, 1, 2);
  return {
    filter: readEventFilter(filter, 'position 1 (filter)', limits),
    from: isAbsent(resume) ? null : readResume(resume),
  };
}

/** Params of `unsubscribeEvent`: the subscription's id. Throws -32602 naming the position. */
export function readUnsubscribeEvent(params: unknown): number {
  const [id] = readPositions(params, 1, 1);
  return readInteger(id, 'position 1 (subscription)');
}

/** A former `nextCursor` is where replay begins; an event's own id is what it begins after. */
function readResume(value: unknown): EventId {
  const name = 'position 2 (resume)';
  if (typeof value !== 'object') return readCursor(value, name);
  const [txSeq, eventSeq] = readFields(value, name, 'txSeq', 'eventSeq');
  return nextEventId({
    txSeq: readInteger(txSeq, `${name}.txSeq`),
    eventSeq: readInteger(eventSeq, `${name}.eventSeq`),
  });
}

function readLimit(value: unknown): number {
  const isLimit =
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST_PAGE;
  if (!isLimit) {
    throw mustBe('position 3 (limit)', `null or an integer from 1 to ${LARGEST_PAGE}`, value);
  }
  return value;
}

function readOrdering(value: unknown): boolean {
  if (isAbsent(value) || value === false || value === 'Ascending') return false;
  if (value === true || value === 'Descending') return true;
  throw mustBe('position 4 (ordering)', 'true, false, "Ascending" or "Descending"', value);
}

function readPositions(params: unknown, min: number, max: number): unknown[] {
  if (!Array.isArray(params)) {
    throw mustBe('params', 'an array', params);
  }
  if (params.length < min || params.length > max) {
    const expected = min === max ? `${min}` : `${min} to ${max}`;
    throw invalidParams(
      `Invalid params: expected ${expected} params by position; got ${params.length}`,
    );
  }
  return params;
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}
