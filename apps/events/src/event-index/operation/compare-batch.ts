import { isDeepStrictEqual } from 'node:util';
import type { EventsIndexDifference, StoredEventRecord } from '@forecourt/contracts';
import type { Pool } from 'pg';
import { recordOf, selectEvents } from '../store/index-rows.js';
import { positionOfRecord } from '../store/place.js';
import type { CheckpointBatch } from '../writing/checkpoint-sink.js';
import { listPostings } from '../writing/index-writer.js';

/** More than a batch holds: events that only the index has must show as well. */
const MOST_ROWS = 1_000_000;

/** Compares whole checkpoints of a node with the index, event by event; then whether every criterion finds them. */
export async function compareBatch(
  pool: Pool,
  { first, end, records }: CheckpointBatch,
): Promise<readonly EventsIndexDifference[]> {
  const [low, high] = [first.position, end.position];
  const query = { low, high, descending: false, limit: MOST_ROWS };
  const rows = await selectEvents(pool, query, null);
  const indexed = new Map(rows.map((row) => [row.position, recordOf(row)]));
  const differences: EventsIndexDifference[] = [];
  const equal: StoredEventRecord[] = [];
  for (const record of records) {
    const cursor = positionOfRecord(record);
    const found = indexed.get(cursor);
    indexed.delete(cursor);
    if (isDeepStrictEqual(found, record)) equal.push(record);
    else differences.push(describe(cursor, found ?? null, record));
  }
  for (const [cursor, record] of indexed) differences.push(describe(cursor, record, null));
  const unfindable = await findUnfindable(pool, equal);
  const lost = equal.filter((record) => unfindable.has(positionOfRecord(record)));
  differences.push(
    ...lost.map((record) => ({
      ...describe(positionOfRecord(record), record, record),
      problem: 'unfindable' as const,
    })),
  );
  return differences.sort((a, b) => a.cursor - b.cursor);
}

function describe(
  cursor: number,
  indexed: StoredEventRecord | null,
  ledger: StoredEventRecord | null,
): EventsIndexDifference {
  const problem = indexed === null ? 'missing' : ledger === null ? 'extra' : 'different';
  return { cursor, problem, indexed, ledger };
}

/** The positions of events for which a key is missing. */
async function findUnfindable(
  pool: Pool,
  records: readonly StoredEventRecord[],
): Promise<ReadonlySet<number>> {
  const postings = listPostings(records);
  const { rows } = await pool.query<{ position: number }>(
    `SELECT DISTINCT position FROM unnest($1::bigint[], $2::bigint[]) AS expected (key, position)
     WHERE NOT EXISTS (SELECT FROM events.postings p WHERE p.key = expected.key AND p.position = expected.position)`,
    [postings.map(({ hash }) => hash), postings.map(({ position }) => position)],
  );
  return new Set(rows.map(({ position }) => position));
}
