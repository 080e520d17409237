import { invalidParams } from '@forecourt/json-rpc';
import { nextEventId, readCursor, readIdAsCursor } from './event-id.js';
import type { EventId } from './ledger-event.js';
import { mustBe } from './read-value.js';

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1_000;

// Every reader takes a value and its place in the params, and throws -32602 naming both.

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
