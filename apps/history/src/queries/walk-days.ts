import type { Partitions } from '../database/partitions.js';
import { DAY_MS, dayOf, firstIdAt, timeOfId } from '../database/record-ids.js';
import type { IdRange } from './id-range.js';

export interface WalkBounds {
  /** Inclusive, in ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only ids below this one. */
  readonly before?: bigint | undefined;
}

/** Each step covers so many times the days of the step before. */
const GROWTH = 2;

/**
 * Reads the newest records of a range, a few days at a time: the database plans a statement for each partition that it may touch, and
 * callers mostly want the newest days. `read` returns at most `limit` records of a range, the newest first.
 */
export async function walkDays<T>(
  partitions: Partitions,
  bits: bigint,
  { from = 0, to = Infinity, before }: WalkBounds,
  limit: number,
  read: (range: IdRange, limit: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const first = (await partitions.first()) ?? Infinity;
  const lowest = firstIdAt(from, bits);
  // No record is later than tomorrow.
  let high = firstIdAt(Math.min(to + 1, dayOf(Date.now()) + 2 * DAY_MS), bits);
  if (before !== undefined && before < high) high = before;
  const found: T[] = [];
  for (let days = 1; high > lowest && found.length < limit; days *= GROWTH) {
    const newest = Math.min(timeOfId(high - 1n, bits), Date.now());
    const day = dayOf(newest) - (days - 1) * DAY_MS;
    // The last step has no bound: another replica may have created an earlier day just now.
    const begin = day > first ? firstIdAt(day, bits) : 0n;
    const low = begin > lowest ? begin : lowest;
    found.push(...(await read({ low, high }, limit - found.length)));
    high = low;
  }
  return found;
}
