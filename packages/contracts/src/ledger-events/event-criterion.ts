import { invalidParams } from '@forecourt/json-rpc';
import type { EventKind, Owner } from './ledger-event.js';
import {
  mustBe,
  readAddress,
  readDigest,
  readEventKind,
  readFields,
  readInteger,
  readModuleName,
  readOneKey,
  readOwner,
  readStructTag,
} from './read-value.js';

/** The criterion of a query, checked and in canonical form (specification, "EventQuery criteria"). */
export type EventCriterion =
  | { readonly key: 'All' }
  /** In base64. */
  | { readonly key: 'Transaction'; readonly digest: string }
  | { readonly key: 'MoveModule'; readonly packageId: string; readonly module: string }
  /** A whole struct tag. */
  | { readonly key: 'MoveEvent'; readonly type: string }
  | { readonly key: 'EventType'; readonly kind: EventKind }
  | { readonly key: 'Sender'; readonly address: string }
  | { readonly key: 'Recipient'; readonly owner: Owner }
  | { readonly key: 'Object'; readonly objectId: string }
  /** Closed at both ends, in ms. */
  | { readonly key: 'TimeRange'; readonly startTime: number; readonly endTime: number };

const criterionKeys = [
  'All',
  'Transaction',
  'MoveModule',
  'MoveEvent',
  'EventType',
  'Sender',
  'Recipient',
  'Object',
  'TimeRange',
] as const satisfies EventCriterion['key'][];

/** The names of the two ends of a `TimeRange`. */
export type TimeRangeFields = readonly [start: string, end: string];

const SPECIFIED_TIME_RANGE: TimeRangeFields = ['startTime', 'endTime'];

/**
 * Reads a criterion: `"All"`, or an object with exactly one key. The table of the specification can be read in two
 * ways, so the value may be nested once more under the same key. Throws -32602.
 */
export function readEventCriterion(
  value: unknown,
  name: string,
  timeRange: TimeRangeFields = SPECIFIED_TIME_RANGE,
): EventCriterion {
  if (value === 'All') return { key: 'All' };
  const outer = readOneKey(value, name, criterionKeys);
  const nested = hasOnlyKey(outer.value, outer.key);
  const argument = nested ? (outer.value as Record<string, unknown>)[outer.key] : outer.value;
  const place = nested ? `${name}.${outer.key}.${outer.key}` : `${name}.${outer.key}`;
  return outer.key === 'TimeRange'
    ? readTimeRange(argument, place, timeRange)
    : readArgument(outer.key, argument, place);
}

function readArgument(
  key: Exclude<EventCriterion['key'], 'TimeRange'>,
  value: unknown,
  name: string,
): EventCriterion {
  switch (key) {
    case 'All':
      if (value !== 'All' && !(Array.isArray(value) && value.length === 0)) {
        throw mustBe(name, '"All" or []', value);
      }
      return { key };
    case 'Transaction':
      return { key, digest: readDigest(value, name) };
    case 'MoveModule': {
      const [packageId, module] = readFields(value, name, 'package', 'module');
      return {
        key,
        packageId: readAddress(packageId, `${name}.package`),
        module: readModuleName(module, `${name}.module`),
      };
    }
    case 'MoveEvent':
      return { key, type: readStructTag(value, name) };
    case 'EventType':
      return { key, kind: readEventKind(value, name) };
    case 'Sender':
      return { key, address: readAddress(value, name) };
    case 'Recipient':
      return { key, owner: readOwner(value, name) };
    case 'Object':
      return { key, objectId: readAddress(value, name) };
  }
}

function readTimeRange(
  value: unknown,
  name: string,
  [startField, endField]: TimeRangeFields,
): EventCriterion {
  const [start, end] = readFields(value, name, startField, endField);
  const startTime = readInteger(start, `${name}.${startField}`);
  const endTime = readInteger(end, `${name}.${endField}`);
  if (startTime > endTime) {
    throw invalidParams(
      `Invalid params: ${name}.${startField} must not be after ${endField}; got ${startTime} and ${endTime}`,
    );
  }
  return { key: 'TimeRange', startTime, endTime };
}

function hasOnlyKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === key;
}

/** The criterion in the format of clients. */
export function writeEventCriterion(criterion: EventCriterion): unknown {
  switch (criterion.key) {
    case 'All':
      return 'All';
    case 'Transaction':
      return { Transaction: criterion.digest };
    case 'MoveModule':
      return { MoveModule: { package: criterion.packageId, module: criterion.module } };
    case 'MoveEvent':
      return { MoveEvent: criterion.type };
    case 'EventType':
      return { EventType: criterion.kind };
    case 'Sender':
      return { Sender: criterion.address };
    case 'Recipient':
      return { Recipient: criterion.owner };
    case 'Object':
      return { Object: criterion.objectId };
    case 'TimeRange':
      return { TimeRange: { startTime: criterion.startTime, endTime: criterion.endTime } };
  }
}
