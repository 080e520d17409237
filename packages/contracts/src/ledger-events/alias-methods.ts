import { invalidParams, JsonRpcCode, JsonRpcError } from '../json-rpc-error.js';
import { readEventCriterion, timeRangeOf } from './event-criterion.js';
import { type EventFilter, type FilterLimits, readEventFilter } from './event-filter.js';
import type {
  EventPage,
  EventQuery,
  MethodFormat,
  SubscribeEventRequest,
} from './event-methods.js';
import {
  type DeleteObjectEvent,
  type EventId,
  eventKinds,
  type LedgerEvent,
  type NewObjectEvent,
  type StoredEventRecord,
  type TransferObjectEvent,
} from './ledger-event.js';
import {
  isAbsent,
  LARGEST_PAGE,
  mustBe,
  readInteger,
  readLimit,
  readOrdering,
  readPositions,
} from './read-value.js';
import { readPosition, readResume } from './event-position.js';

// Under an alias (`sui_getEvents`), params are read like nodes of December 2022 read them, by position or by
// name. The params in the specification's format are accepted as well.

/** A param, with its name in errors. */
interface Param {
  readonly value: unknown;
  readonly name: string;
}

/** Params of `getEvents`: `query`, `cursor`, `limit`, `descending_order`. Throws -32602 naming the param. */
export function readAliasGetEvents(params: unknown): EventQuery {
  const names = ['query', 'cursor', 'limit', 'descending_order'];
  const [query, cursor, limit, ordering] = readParams(params, names) as [
    Param,
    Param,
    Param,
    Param,
  ];
  const position = isAbsent(cursor.value) ? null : readPosition(cursor.value, cursor.name);
  return {
    criterion: readEventCriterion(query.value, query.name, timeRangeTypeOf(query.value)),
    cursor: position && position.id,
    anchor: position && position.anchor,
    limit: readLimit(limit.value, limit.name, LARGEST_PAGE),
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

/**
 * `start_time` and `end_time` in programs of 2022; the specification and later ones write `startTime` and
 * `endTime`.
 */
function timeRangeTypeOf(query: unknown): typeof ALIAS_TIME_RANGE | undefined {
  const range = (query as { readonly TimeRange?: unknown } | null)?.TimeRange;
  if (typeof range !== 'object' || range === null) return undefined;
  return 'start_time' in range || 'end_time' in range ? ALIAS_TIME_RANGE : undefined;
}

const ALIAS_TIME_RANGE = timeRangeOf('start_time', 'end_time');

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
  filters: eventKinds.map((kind) => ({ key: 'EventType', value: kind })),
};

// Results under an alias have exactly the attributes of nodes of December 2022: programs of that time reject
// records with a missing or an unknown attribute.

type ObjectType = { readonly objectType: string };
type Version = { readonly version: number };

type AliasEvent =
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
  return { data: data.map(writeAliasRecord), nextCursor };
}

/** Throws -32000 if the node does not report an attribute. */
function writeAliasRecord(record: StoredEventRecord): AliasRecord {
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

/** The format of the nodes of December 2022, for methods with a prefix of `EVENTS_METHOD_ALIASES`. */
export const aliasFormat: MethodFormat = {
  readGetEvents: readAliasGetEvents,
  readSubscribeEvent: readAliasSubscribeEvent,
  readUnsubscribeEvent: readAliasUnsubscribeEvent,
  writePage: writeAliasPage,
  writeRecord: writeAliasRecord,
};
