import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../database/record-ids.js';

/** From `from` on, and before `to`, in ms since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Ids of a range of time: from `low`, below `high`. */
export interface IdRange {
  readonly low: bigint;
  readonly high: bigint;
}

/**
 * The condition that a column of ids is in a range. Every table of a statement needs it: only then the
 * database leaves out the partitions of other days.
 */
export function within(column: string, { low, high }: IdRange): RawBuilder<unknown> {
  const id = sql.ref(column);
  return sql`(${id} >= ${String(low)}::bigint AND ${id} < ${String(high)}::bigint)`;
}

/** The ids of the records of a time. `bits`: those below its milliseconds. */
export function idsOf({ from, to }: TimeRange, bits: bigint): IdRange {
  return { low: firstIdAt(from, bits), high: firstIdAt(to, bits) };
}

/** The condition that a column of times is in a range. */
export function isBetween(
  column: RawBuilder<unknown>,
  { from, to }: TimeRange,
): RawBuilder<unknown> {
  const time = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  return sql`(${column} >= ${time(from)} AND ${column} < ${time(to)})`;
}
