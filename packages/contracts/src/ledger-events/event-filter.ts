import { invalidParams } from '../json-rpc-error.js';
import { mustBe, readOneKey } from './read-value.js';
import {
  address,
  eventKind,
  type JsonSchema,
  moduleName,
  objectWith,
  oneKeySchemas,
  structTag,
  type ValueType,
} from './value-types.js';

const MAX_POINTER_LENGTH = 1_024;
const MAX_VALUE_DEPTH = 32;

/** The attributes that a filter compares with one value (specification, "Subscription filters"). */
const ATTRIBUTES = {
  Package: address,
  Module: moduleName,
  MoveEventType: structTag,
  SenderAddress: address,
  EventType: eventKind,
  ObjectId: address,
} as const satisfies Record<string, ValueType<string>>;

/** A JSON pointer (RFC 6901), read as its unescaped tokens. */
const pointer: ValueType<readonly string[]> = {
  schema: {
    type: 'string',
    pattern: '^/(?:[^~]|~[01])*$',
    maxLength: MAX_POINTER_LENGTH,
    description: 'A JSON pointer (RFC 6901) into the fields of the event.',
  },
  read: readPointer,
};

const moveEventField = objectWith({
  path: pointer,
  value: {
    schema: { description: 'Any JSON; integers above 2^53 as strings.' },
    read: readJson,
  },
});

const COMBINATORS = ['And', 'Or', 'All', 'Any'] as const;

export type FilterAttribute = keyof typeof ATTRIBUTES;
type Combinator = (typeof COMBINATORS)[number];

/** The filter of a subscription, checked and in canonical form. */
export type EventFilter =
  | { readonly key: FilterAttribute; readonly value: string }
  | { readonly key: 'MoveEventField'; readonly path: readonly string[]; readonly value: unknown }
  | { readonly key: Combinator; readonly filters: readonly EventFilter[] };

/** The schemas of filters by one attribute. */
export const attributeSchemas: readonly JsonSchema[] = oneKeySchemas({
  ...ATTRIBUTES,
  MoveEventField: moveEventField,
});

const KEYS = [
  ...(Object.keys(ATTRIBUTES) as FilterAttribute[]),
  'MoveEventField' as const,
  ...COMBINATORS,
];

export interface FilterLimits {
  /** Levels of combinators and attributes; a lone attribute filter is one. */
  readonly maxDepth: number;
  /** Attribute filters and combinators in total. */
  readonly maxFilters: number;
}

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
    const { key, value: argument } = readOneKey(one, place, KEYS);
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
      case 'MoveEventField':
        return { key, ...moveEventField.read(argument, inner) };
      default:
        return { key, value: ATTRIBUTES[key].read(argument, inner) };
    }
  };
  return read(value, name, 1);
}

function readParts(key: Combinator, value: unknown, name: string): unknown[] {
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

/**
 * Any JSON except numbers beyond the exact range: they have lost digits, and would match unrelated values.
 */
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
