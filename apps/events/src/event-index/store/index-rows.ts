import { hash } from 'node:crypto';
import { keyOfCriterion } from '../../event-matching/event-criteria.js';
import { type StoredEventRecord, EVENTS_PER_TRANSACTION } from '@forecourt/contracts';
import type { Pool } from 'pg';
import { LRUCache } from 'lru-cache';
import { eventAt } from './indexed-ledger.js';

/** Positions from `low` to before `high`. */
export interface PositionRange {
  readonly low: number;
  readonly high: number;
}

interface RowQuery extends PositionRange {
  readonly descending: boolean;
  readonly limit: number;
}

export interface EventRow {
  readonly position: number;
  readonly at: number;
  readonly transaction: Buffer;
  readonly event: string;
}

/** Partitions that one statement reads at most. */
const WIDEST = 64;
const COLUMNS = 'position, at, transaction, event';

/** The positions of the events with a key, in the order of the query. */
export async function selectPositions(
  pool: Pool,
  key: string,
  query: RowQuery,
): Promise<readonly number[]> {
  return walk(query, async ({ low, high }, limit) => {
    const { rows } = await pool.query<{ position: number }>(
      `SELECT position FROM events.postings WHERE key = $1 AND position >= $2 AND position < $3
       ORDER BY position ${directionOf(query)} LIMIT $4`,
      [key, low, high, limit],
    );
    return rows.map(({ position }) => position);
  });
}

/** The events of a range, within a range of times where one is given. */
export async function selectEvents(
  pool: Pool,
  query: RowQuery,
  times: { readonly startTime: number; readonly endTime: number } | null,
): Promise<readonly EventRow[]> {
  const condition = times === null ? '' : 'AND at >= $4 AND at <= $5';
  const values = times === null ? [] : [times.startTime, times.endTime];
  return walk(query, async ({ low, high }, limit) => {
    const { rows } = await pool.query<EventRow>(
      `SELECT ${COLUMNS} FROM events.events WHERE position >= $1 AND position < $2 ${condition}
       ORDER BY position ${directionOf(query)} LIMIT $3`,
      [low, high, limit, ...values],
    );
    return rows;
  });
}

/** The events at these positions. */
export async function selectEventsAt(
  pool: Pool,
  positions: readonly number[],
  descending: boolean,
): Promise<readonly EventRow[]> {
  if (positions.length === 0) return [];
  const { rows } = await pool.query<EventRow>(
    `SELECT ${COLUMNS} FROM events.events WHERE position = ANY($1::bigint[])
     ORDER BY position ${directionOf({ descending })}`,
    [positions],
  );
  return rows;
}

export function recordOf({ position, at, transaction, event }: EventRow): StoredEventRecord {
  return {
    timestamp: at,
    txDigest: transaction.toString('base64'),
    id: eventAt(position),
    event: JSON.parse(event) as StoredEventRecord['event'],
  };
}

/**
 * Reads a range piece by piece until there are enough rows: the piece of one partition first, then twice as
 * many each time. A statement over all partitions would have to be planned for all of them.
 */
async function walk<Row>(
  { low, high, descending, limit }: RowQuery,
  read: (range: PositionRange, limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let left = { low, high };
  for (let width = 1; rows.length < limit && left.low < left.high;) {
    const piece = descending
      ? { ...left, low: Math.max(left.low, startOf(partitionOf(left.high - 1) - width + 1)) }
      : { ...left, high: Math.min(left.high, startOf(partitionOf(left.low) + width)) };
    rows.push(...(await read(piece, limit - rows.length)));
    left = descending ? { ...left, high: piece.low } : { ...left, low: piece.high };
    width = Math.min(2 * width, WIDEST);
  }
  return rows;
}

function startOf(partition: number): number {
  return partition * PARTITION_SPAN;
}

function directionOf({ descending }: { readonly descending: boolean }): string {
  return descending ? 'DESC' : 'ASC';
}

/** Positions of one partition: those of 2^20 transactions. */
export const PARTITION_SPAN = 2 ** 20 * EVENTS_PER_TRANSACTION;

export function partitionOf(position: number): number {
  return Math.floor(position / PARTITION_SPAN);
}

/** Senders, modules and types repeat; about 20 MB. */
const known = new LRUCache<string, string>({ max: 100_000 });

/**
 * 64 bits of a key's hash as a signed integer in decimal. A reader that finds an event by it compares the
 * event with its criterion.
 */
export function hashKey(key: string): string {
  let hashed = known.get(key);
  if (hashed === undefined) {
    hashed = hash('sha256', key, 'buffer').readBigInt64BE().toString();
    known.set(key, hashed);
  }
  return hashed;
}

/** Of the event that ends a checkpoint. */
export const CHECKPOINT_KEY = hashKey(keyOfCriterion({ key: 'EventType', value: 'Checkpoint' })!);
