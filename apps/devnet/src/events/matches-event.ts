import { isDeepStrictEqual } from 'node:util';
import type { EventFilter, EventKind, LedgerEvent, Owner } from '@forecourt/contracts';

interface Attributes {
  readonly packageId?: string;
  readonly transactionModule?: string;
  readonly sender?: string;
  readonly recipient?: Owner;
  readonly objectId?: string;
  readonly type?: string;
  readonly fields?: unknown;
}

/** The kind of an event, as filters write it, and its attributes. */
export function openEvent(event: LedgerEvent): [EventKind, Attributes] {
  const [[key, value]] = Object.entries(event) as [[string, unknown]];
  const kind = `${key[0]!.toUpperCase()}${key.slice(1)}` as EventKind;
  return [kind, typeof value === 'object' ? (value as Attributes) : {}];
}

/** Whether an event of the ledger matches a filter of the legacy dialect. Both are in canonical form. */
export function matchesEvent(event: LedgerEvent, filter: EventFilter): boolean {
  const [kind, attributes] = openEvent(event);
  switch (filter.key) {
    case 'And':
    case 'All':
      return filter.filters.every((part) => matchesEvent(event, part));
    case 'Or':
    case 'Any':
      return filter.filters.some((part) => matchesEvent(event, part));
    case 'EventType':
      return kind === filter.value;
    case 'MoveEventType':
      return kind === 'MoveEvent' && isOfType(attributes.type, filter.value);
    case 'MoveEventField':
      return kind === 'MoveEvent' && hasField(attributes.fields, filter.path, filter.value);
    case 'Package':
      return attributes.packageId === filter.value;
    case 'Module':
      return attributes.transactionModule === filter.value;
    case 'SenderAddress':
      return attributes.sender === filter.value;
    case 'ObjectId':
      return attributes.objectId === filter.value;
  }
}

/** A struct without type parameters stands for every instantiation. */
function isOfType(type: string | undefined, filterType: string): boolean {
  return type === filterType || type?.split('<')[0] === filterType;
}

/** Whether the value at the tokens of a JSON pointer equals another; integers equal their decimal text. */
export function hasField(fields: unknown, path: readonly string[], expected: unknown): boolean {
  let value = fields;
  for (const token of path) {
    if (typeof value !== 'object' || value === null) return false;
    const values = new Map<string, unknown>(Object.entries(value));
    if (!values.has(token)) return false;
    value = values.get(token);
  }
  return isDeepStrictEqual(withTextIntegers(value), withTextIntegers(expected));
}

function withTextIntegers(value: unknown): unknown {
  const replace = (_key: string, one: unknown) => (Number.isInteger(one) ? String(one) : one);
  return JSON.parse(JSON.stringify(value, replace));
}
