import { invalidParams } from '../json-rpc-error.js';
import {
  compareEventIds,
  type EventId,
  LAST_EVENT_SEQ,
  nextEventId,
  previousEventId,
  type StoredEventRecord,
  TRANSACTIONS,
  writeCursor,
} from './ledger-event.js';
import { isAbsent, mustBe, readCursor } from './read-value.js';
import { digest, type JsonSchema, objectWith, sequence } from './value-types.js';

/** An event that a client has seen: a ledger that has another transaction in its place is another ledger. */
export interface EventAnchor {
  readonly id: EventId;
  /** The beginning of the transaction's digest in base64. */
  readonly digest: string;
}

/** Where a page or a replay begins. */
export interface EventPosition {
  readonly id: EventId;
  /** Null: nothing but the order tells whether the position is of this ledger. */
  readonly anchor: EventAnchor | null;
}

/** Base64 of nine bytes. */
const DIGEST_LENGTH = 12;
/**
 * The event that was returned last, the side on which the next one is, and the beginning of its transaction's
 * digest.
 */
const CURSOR = /^(\d{1,12})\.(\d{1,10})([+-])([A-Za-z0-9+/]{12})$/;

export const cursorSchema: JsonSchema = {
  oneOf: [sequence.schema, { type: 'string', pattern: CURSOR.source }],
  description:
    'A position in the order of events and the ledger that it belongs to, as `nextCursor` of an earlier page names it; opaque. Integers name a position alone.',
};

const eventId = objectWith({ txSeq: sequence, eventSeq: sequence });
const idWithDigest = objectWith({ txSeq: sequence, eventSeq: sequence, txDigest: digest });

/** The schemas of an event's id, alone and with the digest of its transaction. */
export const idSchemas: readonly JsonSchema[] = [eventId.schema, idWithDigest.schema];

/** A cursor that names `next`, the event beside `last` that was returned. */
export function writePosition(next: EventId, last: StoredEventRecord | undefined): string | number {
  if (last === undefined) return writeCursor(next);
  const { id, txDigest } = last;
  const side = compareEventIds(next, id) > 0 ? '+' : '-';
  return `${id.txSeq}.${id.eventSeq}${side}${txDigest.slice(0, DIGEST_LENGTH)}`;
}

/** Reads a former `nextCursor`, or the id of an event, which comes first. Throws -32602. */
export function readPosition(value: unknown, name: string): EventPosition {
  if (typeof value === 'string') return readText(value, name);
  if (typeof value !== 'object') return { id: readCursor(value, name), anchor: null };
  const isAnchored = value !== null && 'txDigest' in value;
  const { txDigest, ...id } = isAnchored
    ? idWithDigest.read(value, name)
    : { txDigest: null, ...eventId.read(value, name) };
  if (!isPossible(id)) {
    throw invalidParams(
      `Invalid params: ${name} names no event: txSeq must be below ${TRANSACTIONS}, eventSeq at most ${LAST_EVENT_SEQ}`,
    );
  }
  return { id, anchor: txDigest === null ? null : { id, digest: txDigest } };
}

/**
 * Replay begins at a former `nextCursor`, or after the event whose own id is given. Null: no replay. Throws
 * -32602.
 */
export function readResume(value: unknown, name: string): EventPosition | null {
  if (isAbsent(value)) return null;
  const position = readPosition(value, name);
  return typeof value === 'object' ? { ...position, id: nextEventId(position.id) } : position;
}

function readText(value: string, name: string): EventPosition {
  const [, txSeq, eventSeq, side, digest] = CURSOR.exec(value) ?? [];
  const lastId = { txSeq: Number(txSeq), eventSeq: Number(eventSeq) };
  const id = side === '-' ? previousEventId(lastId) : nextEventId(lastId);
  if (digest === undefined || id === null || !isPossible(lastId)) {
    throw mustBe(name, 'null or the value of a former nextCursor', value);
  }
  return { id, anchor: { id: lastId, digest } };
}

function isPossible({ txSeq, eventSeq }: EventId): boolean {
  return txSeq < TRANSACTIONS && eventSeq <= LAST_EVENT_SEQ;
}
