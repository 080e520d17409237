import { invalidParams } from '../json-rpc-error.js';
import { isObject, mustBe, readOneKey } from './read-value.js';
import {
  address,
  digest,
  eventKind,
  type JsonSchema,
  milliseconds,
  moduleName,
  objectOf,
  objectWith,
  oneKeySchemas,
  owner,
  structTag,
  type ValueOf,
  type ValueType,
} from './value-types.js';

interface TimeRange {
  readonly startTime: number;
  readonly endTime: number;
}

/** The criteria of a query besides `All` (specification, "EventQuery criteria"). */
const CRITERIA = {
  Transaction: digest,
  MoveModule: objectWith({ package: address, module: moduleName }),
  MoveEvent: structTag,
  EventType: eventKind,
  Sender: address,
  Recipient: owner,
  Object: address,
  TimeRange: timeRangeOf('startTime', 'endTime'),
};

/** A range of times, both ends included, whose ends have these names. */
export function timeRangeOf(startField: string, endField: string): ValueType<TimeRange> {
  const range = objectWith({ [startField]: milliseconds, [endField]: milliseconds });
  return {
    schema: range.schema,
    read(value, name) {
      const { [startField]: startTime, [endField]: endTime } = range.read(value, name);
      if (startTime! > endTime!) {
        throw invalidParams(
          `Invalid params: ${name}.${startField} must not be after ${endField}; got ${startTime} and ${endTime}`,
        );
      }
      return { startTime: startTime!, endTime: endTime! };
    },
  };
}

type CriterionKey = keyof typeof CRITERIA;

/** The criterion of a query, checked and in canonical form. */
export type EventCriterion =
  | { readonly key: 'All' }
  | {
      [Key in CriterionKey]: {
        readonly key: Key;
        readonly value: ValueOf<(typeof CRITERIA)[Key]>;
      };
    }[CriterionKey];

export const criterionSchema: JsonSchema = {
  description: '"All", or an object with exactly one criterion.',
  oneOf: [
    { const: 'All' },
    objectOf({ All: { type: 'array', maxItems: 0, items: {} } }),
    ...oneKeySchemas(CRITERIA),
  ],
};

const KEYS = ['All', ...Object.keys(CRITERIA)] as ('All' | CriterionKey)[];

/**
 * Reads a criterion: `"All"`, or an object with exactly one key. The table of the specification can be read
 * in two ways, so the value may be nested once more under the same key. Throws -32602.
 */
export function readEventCriterion(
  value: unknown,
  name: string,
  timeRange = CRITERIA.TimeRange,
): EventCriterion {
  if (value === 'All') return { key: 'All' };
  const { key, value: outer } = readOneKey(value, name, KEYS);
  const isNested = isObject(outer) && Object.keys(outer).length === 1 && key in outer;
  const argument = isNested ? outer[key] : outer;
  const place = isNested ? `${name}.${key}.${key}` : `${name}.${key}`;
  if (key === 'All') {
    const isEmpty = argument === 'All' || (Array.isArray(argument) && argument.length === 0);
    if (!isEmpty) throw mustBe(place, '"All" or []', argument);
    return { key };
  }
  const type: ValueType<unknown> = key === 'TimeRange' ? timeRange : CRITERIA[key];
  return { key, value: type.read(argument, place) } as EventCriterion;
}

/** The criterion in the format of clients. */
export function writeEventCriterion(criterion: EventCriterion): unknown {
  return criterion.key === 'All' ? 'All' : { [criterion.key]: criterion.value };
}
