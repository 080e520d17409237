import { type RawBuilder, sql } from 'kysely';

/** Ids of a range of time: from `low`, below `high`. */
export interface IdRange {
  readonly low: bigint;
  readonly high: bigint;
}

/**
 * The condition that a column of ids is in a range. Every table of a statement needs it: only then the database leaves out the
 * partitions of other days.
 */
export function within(column: string, { low, high }: IdRange): RawBuilder<unknown> {
  const id = sql.ref(column);
  return sql`(${id} >= ${String(low)}::bigint AND ${id} < ${String(high)}::bigint)`;
}
