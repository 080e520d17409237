import { invalidParams } from '@forecourt/json-rpc';
import type { EventKind } from './ledger-event.js';
import {
  mustBe,
  readAddress,
  readEventKind,
  readFields,
  readModuleName,
  readOneKey,
  readStructTag,
} from './read-value.js';

/** The filter of a subscription, checked and in canonical form (specification, "Subscription filters"). */
export type EventFilter =
  | { readonly key: 'Package'; readonly packageId: string }
  | { readonly key: 'Module'; readonly module: string }
  /** A whole struct tag. */
  | { readonly key: 'MoveEventType'; readonly type: string }
  /** `path` as JSON pointer tokens (RFC 6901), unescaped. */
  | { readonly key: 'MoveEventField'; readonly path: readonly string[]; readonly value: unknown }
  | { readonly key: 'SenderAddress'; readonly address: string }
  | { readonly key: 'EventType'; readonly kind: EventKind }
  | { readonly key: 'ObjectId'; readonly objectId: string }
  | { readonly key: 'And' | 'Or' | 'All' | 'Any'; readonly filters: readonly EventFilter[] };

export interface FilterLimits {
  /** Levels of combinators and attributes; a lone attribute filter is one. */
  readonly maxDepth: number;
  /** Attribute filters and combinators in total. */
  readonly maxFilters: number;
}

const filterKeys = [
  'Package',
  'Module',
  'MoveEventType',
  'MoveEventField',
  'SenderAddress',
  'EventType',
  'ObjectId',
  'And',
  'Or',
  'All',
  'Any',
] as const satisfies EventFilter['key'][];

const MAX_POINTER_LENGTH = 1_024;
const MAX_VALUE_DEPTH = 32;

/** Reads a filter. Throws -32602, also beyond the limits. */
export function readEventFilter(value: unknown, name: string, limits: FilterLimits): EventFilter {
  let filters = 0;
  const read = (one: unknown, place: string, depth: number): EventFilter => {
    filters += 1;
    if (depth > limits.maxDepth) {
      throw invalidParams(`Invalid params: ${name} nests deeper than ${limits.maxDepth} levels`);
    }
    if (filters > limits.maxFilters) {
      throw invalidParams(`Invalid params: ${name} holds more than ${limits.maxFilters} filters`);
    }
    const { key, value: argument } = readOneKey(one, place, filterKeys);
    const inner = `${place}.${key}`;
    switch (key) {
      case 'And':
      case 'Or':
      case 'All':
      case 'Any': {
        const parts = readParts(key, argument, inner);
        const readPart = (part: unknown, index: number) =>
          read(part, `${inner}[${index}]`, depth + 1);
        return { key, filters: parts.map(readPart) };
      }
      default:
        return readAttribute(key, argument, inner);
    }
  };
  return read(value, name, 1);
}

function readParts(key: 'And' | 'Or' | 'All' | 'Any', value: unknown, name: string): unknown[] {
  const exactlyTwo = key === 'And' || key === 'Or';
  const expected = exactlyTwo
    ? 'an array of exactly two filters'
    : 'an array of one or more filters';
  if (!Array.isArray(value)) throw mustBe(name, expected, value);
  if (exactlyTwo ? value.length !== 2 : value.length === 0) {
    throw invalidParams(`Invalid params: ${name} must be ${expected}; got ${value.length}`);
  }
  return value;
}

function readAttribute(
  key: Exclude<EventFilter['key'], 'And' | 'Or' | 'All' | 'Any'>,
  value: unknown,
  name: string,
): EventFilter {
  switch (key) {
    case 'Package':
      return { key, packageId: readAddress(value, name) };
    case 'Module':
      return { key, module: readModuleName(value, name) };
    case 'MoveEventType':
      return { key, type: readStructTag(value, name) };
    case 'MoveEventField': {
      const [path, wanted] = readFields(value, name, 'path', 'value');
      return {
        key,
        path: readPointer(path, `${name}.path`),
        value: readJson(wanted, `${name}.value`),
      };
    }
    case 'SenderAddress':
      return { key, address: readAddress(value, name) };
    case 'EventType':
      return { key, kind: readEventKind(value, name) };
    case 'ObjectId':
      return { key, objectId: readAddress(value, name) };
  }
}

function readPointer(value: unknown, name: string): string[] {
  const isPointer =
    typeof value === 'string' && value.length <= MAX_POINTER_LENGTH && isWellEscaped(value);
  if (!isPointer) throw mustBe(name, 'a JSON pointer that begins with /', value);
  return value
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isWellEscaped(pointer: string): boolean {
  return pointer.startsWith('/') && !/~(?![01])/.test(pointer);
}

/** Any JSON except numbers beyond the exact range: they have lost digits, and would match unrelated values. */
function readJson(value: unknown, name: string): unknown {
  if (value === undefined) throw mustBe(name, 'a JSON value', value);
  checkJson(value, name, MAX_VALUE_DEPTH);
  return value;
}

function checkJson(value: unknown, name: string, levels: number): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw invalidParams(
      `Invalid params: ${name} holds a number above 2^53, which is not exact in JSON; write it as a string`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) {
    throw invalidParams(`Invalid params: ${name} nests deeper than ${MAX_VALUE_DEPTH} levels`);
  }
  for (const inner of Object.values(value)) checkJson(inner, name, levels - 1);
}
