import { invalidParams, type JsonRpcError } from '../json-rpc-error.js';
import { describeArrived } from '../dto/index.js';
import { type EventId, EVENTS_PER_TRANSACTION, LAST_EVENT_SEQ } from './ledger-event.js';

// Every reader takes a value and its place in the params, and throws -32602 naming both.

/** Throws -32602 with the expectation for the value at `name` and the received value. */
export function mustBe(name: string, expected: string, value: unknown): JsonRpcError {
  return invalidParams(
    `Invalid params: ${name} must be ${expected}; got ${describeArrived(value)}`,
  );
}

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1_000;

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
  if (!isObject(value)) throw mustBe(name, expected, value);
  const present = Object.keys(value);
  if (present.length !== 1) {
    throw invalidParams(
      `Invalid params: ${name} must be an object with exactly one key; got ${present.length} keys`,
    );
  }
  const key = keys.find((one) => one === present[0]);
  if (key === undefined) throw mustBe(name, expected, present[0]);
  return { key, value: value[key] };
}

/** Reads an id written as an integer. Throws -32602. */
export function readCursor(value: unknown, name: string): EventId {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw mustBe(name, 'null or the value of a former nextCursor', value);
  }
  const eventSeq = value % EVENTS_PER_TRANSACTION;
  const txSeq = (value - eventSeq) / EVENTS_PER_TRANSACTION;
  return { txSeq, eventSeq: eventSeq < EVENTS_PER_TRANSACTION - 1 ? eventSeq : LAST_EVENT_SEQ };
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

/** `usual`: of an absent limit. */
export function readLimit(value: unknown, name: string, usual = DEFAULT_PAGE): number {
  if (isAbsent(value)) return usual;
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

export function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
