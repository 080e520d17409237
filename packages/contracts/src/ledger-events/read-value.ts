import { invalidParams, type JsonRpcError } from '@forecourt/json-rpc';
import { describeArrived } from '../validation/describe-arrived.js';
import {
  canonicalAddress,
  canonicalDigest,
  canonicalStructTag,
  isIdentifier,
} from './canonical.js';
import {
  type EventId,
  type EventKind,
  eventKinds,
  EVENTS_PER_TRANSACTION,
  nextEventId,
  type Owner,
  TRANSACTIONS,
  writeCursor,
} from './ledger-event.js';

// Every reader takes a value and its place in the params, and throws -32602 naming both.

/** Throws -32602 with the expectation for the value at `name` and the received value. */
export function mustBe(name: string, expected: string, value: unknown): JsonRpcError {
  return invalidParams(
    `Invalid params: ${name} must be ${expected}; got ${describeArrived(value)}`,
  );
}

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1_000;

export function readAddress(value: unknown, name: string): string {
  const address = canonicalAddress(value);
  if (address === null) throw mustBe(name, 'an address: 0x and 1 to 64 hex digits', value);
  return address;
}

/** In base64. */
export function readDigest(value: unknown, name: string): string {
  const digest = canonicalDigest(value);
  if (digest === null) throw mustBe(name, 'a transaction digest in base64 or base58', value);
  return digest;
}

export function readModuleName(value: unknown, name: string): string {
  if (!isIdentifier(value)) throw mustBe(name, 'a module name', value);
  return value;
}

/** In the canonical form. */
export function readStructTag(value: unknown, name: string): string {
  const tag = canonicalStructTag(value);
  if (tag === null) throw mustBe(name, '<package_id>::<module>::<struct_name>', value);
  return tag;
}

export function readEventKind(value: unknown, name: string): EventKind {
  const kind = eventKinds.find((one) => one === value);
  if (kind === undefined) throw mustBe(name, `one of ${eventKinds.join(', ')}`, value);
  return kind;
}

/** A non-negative integer that a JSON number carries exactly. */
export function readInteger(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw mustBe(name, 'a non-negative integer', value);
  }
  return value;
}

/** An object with exactly one key; the key is one of `keys`. */
export function readOneKey<K extends string>(
  value: unknown,
  name: string,
  keys: readonly K[],
): { readonly key: K; readonly value: unknown } {
  const expected = `an object with one of the keys ${keys.join(', ')}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw mustBe(name, expected, value);
  }
  const present = Object.keys(value);
  if (present.length !== 1) {
    throw invalidParams(
      `Invalid params: ${name} must be an object with exactly one key; got ${present.length} keys`,
    );
  }
  const key = keys.find((one) => one === present[0]);
  if (key === undefined) throw mustBe(name, expected, present[0]);
  return { key, value: (value as Record<string, unknown>)[key] };
}

export function readFields(value: unknown, name: string, ...fields: string[]): unknown[] {
  const expected = `an object with ${fields.join(' and ')}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw mustBe(name, expected, value);
  }
  const unknownKey = Object.keys(value).find((key) => !fields.includes(key));
  if (unknownKey !== undefined) throw mustBe(name, `${expected} and nothing else`, unknownKey);
  return fields.map((field) => (value as Record<string, unknown>)[field]);
}

export function readOwner(value: unknown, name: string): Owner {
  if (value === 'Immutable') return value;
  const owner = readOneKey(value, name, ['AddressOwner', 'ObjectOwner', 'Shared'] as const);
  const place = `${name}.${owner.key}`;
  switch (owner.key) {
    case 'AddressOwner':
      return { AddressOwner: readAddress(owner.value, place) };
    case 'ObjectOwner':
      return { ObjectOwner: readAddress(owner.value, place) };
    case 'Shared': {
      const [version] = readFields(owner.value, place, 'initial_shared_version');
      return {
        Shared: { initial_shared_version: readInteger(version, `${place}.initial_shared_version`) },
      };
    }
  }
}

/** Reads a former `nextCursor`. Throws -32602. */
export function readCursor(value: unknown, name: string): EventId {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(
      `Invalid params: ${name} must be null or the value of a former nextCursor; got ${describeArrived(value)}`,
    );
  }
  const eventSeq = value % EVENTS_PER_TRANSACTION;
  return { txSeq: (value - eventSeq) / EVENTS_PER_TRANSACTION, eventSeq };
}

/** Reads an event's id where a cursor is expected: it names the first event of the page. Throws -32602. */
export function readIdAsCursor(value: object, name: string): EventId {
  const [txSeq, eventSeq] = readFields(value, name, 'txSeq', 'eventSeq');
  const id = {
    txSeq: readInteger(txSeq, `${name}.txSeq`),
    eventSeq: readInteger(eventSeq, `${name}.eventSeq`),
  };
  if (id.eventSeq >= EVENTS_PER_TRANSACTION || !Number.isSafeInteger(writeCursor(id))) {
    throw invalidParams(
      `Invalid params: ${name} names no event: txSeq must be below ${TRANSACTIONS}, eventSeq below ${EVENTS_PER_TRANSACTION}`,
    );
  }
  return id;
}

/** Params given by position, `min` to `max` of them. */
export function readPositions(params: unknown, min: number, max: number): unknown[] {
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

export function readLimit(value: unknown, name: string): number {
  if (isAbsent(value)) return DEFAULT_PAGE;
  const isLimit =
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST_PAGE;
  if (!isLimit) throw mustBe(name, `null or an integer from 1 to ${LARGEST_PAGE}`, value);
  return value;
}

/** Whether the newest event comes first. */
export function readOrdering(value: unknown, name: string): boolean {
  if (isAbsent(value) || value === false || value === 'Ascending') return false;
  if (value === true || value === 'Descending') return true;
  throw mustBe(name, 'true, false, "Ascending" or "Descending"', value);
}

/** Replay begins at a former `nextCursor`, or after the event whose own id is given. Null: no replay. */
export function readResume(value: unknown, name: string): EventId | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'object') return readCursor(value, name);
  return nextEventId(readIdAsCursor(value!, name));
}

export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}
