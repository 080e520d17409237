import { invalidParams } from '@forecourt/json-rpc';
import { readEventCriterion, type TimeRangeFields } from './event-criterion.js';
import { type EventFilter, type FilterLimits, readEventFilter } from './event-filter.js';
import { readCursor, readIdAsCursor } from './event-id.js';
import type { GetEventsRequest, SubscribeEventRequest } from './event-methods.js';
import { type EventId, eventKinds } from './ledger-event.js';
import {
  isAbsent,
  readLimit,
  readOrdering,
  readPositions,
  readResume,
} from './read-event-params.js';
import { mustBe, readInteger } from './read-value.js';

// Under an alias (`sui_getEvents`), params are read like nodes of December 2022 read them, by position or by name. The
// params in the specification's format are accepted as well.

/** A param, with its name in errors. */
interface Param {
  readonly value: unknown;
  readonly name: string;
}

/** Params of `getEvents`: `query`, `cursor`, `limit`, `descending_order`. Throws -32602 naming the param. */
export function readAliasGetEvents(params: unknown): GetEventsRequest {
  const names = ['query', 'cursor', 'limit', 'descending_order'];
  const [query, cursor, limit, ordering] = readParams(params, names) as [
    Param,
    Param,
    Param,
    Param,
  ];
  return {
    criterion: readEventCriterion(query.value, query.name, timeRangeFieldsOf(query.value)),
    cursor: readAliasCursor(cursor),
    limit: readLimit(limit.value, limit.name),
    descending: readOrdering(ordering.value, ordering.name),
  };
}

/** Params of `subscribeEvent`: `filter` and, optionally, `resume`. Throws -32602 naming the param. */
export function readAliasSubscribeEvent(
  params: unknown,
  limits: FilterLimits,
): SubscribeEventRequest {
  const [filter, resume] = readParams(params, ['filter', 'resume']) as [Param, Param];
  return {
    filter: isEverything(filter.value)
      ? EVERYTHING
      : readEventFilter(filter.value, filter.name, limits),
    from: readResume(resume.value, resume.name),
  };
}

/** Params of `unsubscribeEvent`: `subscription`. Throws -32602 naming the param. */
export function readAliasUnsubscribeEvent(params: unknown): number {
  const [id] = readParams(params, ['subscription']) as [Param];
  return readInteger(id.value, id.name);
}

/** The first param is required, the others are not. */
function readParams(params: unknown, names: readonly string[]): Param[] {
  if (typeof params === 'object' && params !== null && !Array.isArray(params)) {
    return readNamed(params as Record<string, unknown>, names);
  }
  const values = readPositions(params, 1, names.length);
  return names.map((name, index) => ({
    value: values[index],
    name: `position ${index + 1} (${name})`,
  }));
}

function readNamed(params: Record<string, unknown>, names: readonly string[]): Param[] {
  const unknownName = Object.keys(params).find((name) => !names.includes(name));
  if (unknownName !== undefined) {
    throw mustBe('params', `an object with ${names.join(', ')} and nothing else`, unknownName);
  }
  if (params[names[0]!] === undefined) {
    throw invalidParams(`Invalid params: ${names[0]} is missing`);
  }
  return names.map((name) => ({ value: params[name], name }));
}

/** A former `nextCursor`: an event's id, which names the first event of the page, or the specification's integer. */
function readAliasCursor({ value, name }: Param): EventId | null {
  if (isAbsent(value)) return null;
  return typeof value === 'object' ? readIdAsCursor(value!, name) : readCursor(value, name);
}

/** `start_time` and `end_time` in programs of 2022; the specification and later ones write `startTime` and `endTime`. */
function timeRangeFieldsOf(query: unknown): TimeRangeFields | undefined {
  const range = (query as { readonly TimeRange?: unknown } | null)?.TimeRange;
  if (typeof range !== 'object' || range === null) return undefined;
  return 'start_time' in range || 'end_time' in range ? ['start_time', 'end_time'] : undefined;
}

/** `{"All":[]}`, which the specification's own names refuse in a filter. */
function isEverything(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return false;
  const [entry, ...others] = Object.entries(filter);
  return others.length === 0 && entry?.[0] === 'All' && isEmptyList(entry[1]);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const EVERYTHING: EventFilter = {
  key: 'Any',
  filters: eventKinds.map((kind) => ({ key: 'EventType', kind })),
};
