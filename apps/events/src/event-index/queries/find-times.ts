import type { Pool } from 'pg';
import { LAST_POSITION } from '../store/place.js';

const LAST_BEFORE = `SELECT position FROM events.marks WHERE at < $1 ORDER BY at DESC, position DESC LIMIT 1`;
const FIRST_AFTER = `SELECT position FROM events.marks WHERE at > $2 ORDER BY at, position LIMIT 1`;

/**
 * Positions that contain every event of a range of times, both ends included: times never decrease along the ledger. There are up to a
 * few thousand other events at both ends.
 */
export async function findTimes(
  pool: Pool,
  { startTime, endTime }: { readonly startTime: number; readonly endTime: number },
): Promise<{ readonly first: number; readonly last: number }> {
  const { rows } = await pool.query<{ first: number | null; after: number | null }>(
    `SELECT (${LAST_BEFORE}) AS first, (${FIRST_AFTER}) AS after`,
    [startTime, endTime],
  );
  const { first, after } = rows[0]!;
  return { first: first ?? 0, last: after === null ? LAST_POSITION : after - 1 };
}
