import { type EventCriterion, readEventCriterion } from './event-criterion.js';
import { type EventFilter, type FilterLimits, readEventFilter } from './event-filter.js';
import { readCursor } from './event-id.js';
import type { EventId, StoredEventRecord } from './ledger-event.js';
import {
  isAbsent,
  readLimit,
  readOrdering,
  readPositions,
  readResume,
} from './read-event-params.js';
import { readInteger } from './read-value.js';

export { DEFAULT_PAGE, LARGEST_PAGE } from './read-event-params.js';

/** The methods of the ledger's events, without their prefix (`ledger_`). */
export const eventMethods = {
  getEvents: 'getEvents',
  subscribeEvent: 'subscribeEvent',
  unsubscribeEvent: 'unsubscribeEvent',
} as const;

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
  /** Replay begins at this id; null: live events only. */
  readonly from: EventId | null;
}

/** Params of `getEvents`: criterion, cursor, limit, ordering. Throws -32602 naming the position. */
export function readGetEvents(params: unknown): GetEventsRequest {
  const [query, cursor, limit, ordering] = readPositions(params, 1, 4);
  return {
    criterion: readEventCriterion(query, 'position 1 (query)'),
    cursor: isAbsent(cursor) ? null : readCursor(cursor, 'position 2 (cursor)'),
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
