import {
  compareEventIds,
  type EventId,
  type GetEventsRequest,
  nextEventId,
  type StoredEventRecord,
  writeCursor,
} from '@forecourt/contracts';
import { keyOfCriterion } from '../../event-matching/event-criteria.js';
import type { Pool } from 'pg';
import { selectEmpty } from './empty-checkpoints.js';
import { eventAt } from './indexed-ledger.js';
import {
  CHECKPOINT_KEY,
  hashKey,
  type PositionRange,
  recordOf,
  selectEvents,
  selectEventsAt,
  selectPositions,
} from './index-rows.js';

interface Part {
  readonly records: readonly StoredEventRecord[];
  /** The first further one; null: there are no more in the range. */
  readonly next: EventId | null;
}

/** The first `most` events of a query that the index holds in a range. */
export async function readPart(
  pool: Pool,
  { criterion, cursor, descending }: GetEventsRequest,
  { low, high }: PositionRange,
  most: number,
): Promise<Part> {
  const query = { low, high, descending, limit: most + 1 };
  const times = criterion.key === 'TimeRange' ? criterion.value : null;
  if (criterion.key === 'Transaction') {
    // Those of its checkpoint are the last.
    const limit = most + 1 + EVENTS_OF_CHECKPOINT;
    const records = (await selectEvents(pool, { ...query, limit }, null)).map(recordOf);
    return divide(records.filter(isOfTransaction), most);
  }
  const key = keyOfCriterion(criterion);
  const rows =
    key === null
      ? await selectEvents(pool, query, times)
      : await selectEventsAt(pool, await selectPositions(pool, hashKey(key), query), descending);
  const records = rows.map(recordOf);
  const hasEmpty = key === null || hashKey(key) === CHECKPOINT_KEY;
  if (!hasEmpty || low >= high) return divide(records, most);
  const empty = await selectEmpty(pool, { ...boundsOf({ low, high }, cursor), ...query, times });
  return divide(merge(records, empty, descending), most);
}

/** Of a checkpoint and of an epoch. */
const EVENTS_OF_CHECKPOINT = 2;

function isOfTransaction({ event }: StoredEventRecord): boolean {
  return !('checkpoint' in event) && !('epochChange' in event);
}

/**
 * Positions have no room for many events of empty checkpoints: the cursor tells where in them a page begins.
 */
function boundsOf({ low, high }: PositionRange, cursor: EventId | null) {
  const [from, to] = [eventAt(low), eventAt(high)];
  const place = cursor === null ? null : writeCursor(cursor);
  return {
    from: place === low ? cursor! : from,
    to: place !== null && place + 1 === high ? nextEventId(cursor!) : to,
  };
}

function merge(
  a: readonly StoredEventRecord[],
  b: readonly StoredEventRecord[],
  descending: boolean,
): readonly StoredEventRecord[] {
  if (b.length === 0) return a;
  const sign = descending ? -1 : 1;
  return [...a, ...b].sort((one, other) => sign * compareEventIds(one.id, other.id));
}

function divide(records: readonly StoredEventRecord[], most: number): Part {
  return { records: records.slice(0, most), next: records[most]?.id ?? null };
}
