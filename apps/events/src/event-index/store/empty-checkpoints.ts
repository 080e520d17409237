import {
  compareEventIds,
  type EventId,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import type { ClientBase, Pool } from 'pg';

/** Rows stay small, because the last one is written again with each checkpoint. */
const MOST = 256;

/** Consecutive empty checkpoints. */
interface Run {
  readonly tx_seq: number;
  /** Of the first one, as `checkpoint`. */
  readonly event_seq: number;
  readonly checkpoint: number;
  readonly transaction: Buffer;
  readonly times: readonly string[];
}

export interface EmptyQuery {
  /** The first id, and the one after the last. */
  readonly from: EventId;
  readonly to: EventId;
  readonly times: { readonly startTime: number; readonly endTime: number } | null;
  readonly descending: boolean;
  readonly limit: number;
}

const COLUMNS = 'tx_seq, event_seq, checkpoint, transaction, times';
const BEFORE_TIME = `SELECT tx_seq, event_seq FROM events.empty_checkpoints WHERE times[1] < $1
  ORDER BY times[1] DESC, tx_seq DESC, event_seq DESC LIMIT 1`;
const AFTER_TIME = `SELECT tx_seq, event_seq FROM events.empty_checkpoints WHERE times[1] > $1
  ORDER BY times[1], tx_seq, event_seq LIMIT 1`;

/** The events of empty checkpoints, in the order of the query. */
export async function selectEmpty(pool: Pool, query: EmptyQuery): Promise<StoredEventRecord[]> {
  const { times, descending, limit } = query;
  const from = latest(query.from, times && (await findByTime(pool, BEFORE_TIME, times.startTime)));
  const to = earliest(query.to, times && (await findByTime(pool, AFTER_TIME, times.endTime)));
  const { rows } = await pool.query<Run>(
    `SELECT ${COLUMNS} FROM events.empty_checkpoints
     WHERE (tx_seq, event_seq) > ($1, $2) AND (tx_seq, event_seq) < ($3, $4)
     ORDER BY tx_seq ${descending ? 'DESC' : 'ASC'}, event_seq ${descending ? 'DESC' : 'ASC'} LIMIT $5`,
    // The row that contains the first id may begin before it.
    [from.txSeq, from.eventSeq - MOST, to.txSeq, to.eventSeq, limit + 1],
  );
  const found: StoredEventRecord[] = [];
  for (const run of rows) {
    for (const record of descending ? expand(run).reverse() : expand(run)) {
      const { id, timestamp } = record;
      const isInside = compareEventIds(id, query.from) >= 0 && compareEventIds(id, query.to) < 0;
      const isInTime =
        times === null || (timestamp >= times.startTime && timestamp <= times.endTime);
      if (isInside && isInTime && !isSame(found.at(-1), id)) found.push(record);
      if (found.length === limit) return found;
    }
  }
  return found;
}

async function findByTime(pool: Pool, sql: string, time: number): Promise<EventId | null> {
  const { rows } = await pool.query<{ tx_seq: number; event_seq: number }>(sql, [time]);
  return rows[0] === undefined ? null : { txSeq: rows[0].tx_seq, eventSeq: rows[0].event_seq };
}

function latest(a: EventId, b: EventId | null): EventId {
  return b !== null && compareEventIds(b, a) > 0 ? b : a;
}

function earliest(a: EventId, b: EventId | null): EventId {
  return b !== null && compareEventIds(b, a) < 0 ? b : a;
}

function isSame(record: StoredEventRecord | undefined, id: EventId): boolean {
  return record !== undefined && compareEventIds(record.id, id) === 0;
}

function expand({ tx_seq: txSeq, event_seq, checkpoint, transaction, times }: Run) {
  const txDigest = transaction.toString('base64');
  return times.map((time, index): StoredEventRecord => ({
    timestamp: Number(time),
    txDigest,
    id: { txSeq, eventSeq: event_seq + index },
    event: { checkpoint: checkpoint + index },
  }));
}

const EXTEND = `UPDATE events.empty_checkpoints SET times = times || $3::bigint[]
  WHERE tx_seq = $1 AND event_seq + cardinality(times) = $2 AND cardinality(times) + cardinality($3::bigint[]) <= ${MOST}
    AND event_seq = (SELECT max(event_seq) FROM events.empty_checkpoints WHERE tx_seq = $1 AND event_seq < $2)`;
const INSERT = `INSERT INTO events.empty_checkpoints (${COLUMNS}) VALUES ($1, $2, $4, $5, $3) ON CONFLICT DO NOTHING`;

/** Adds the events of empty checkpoints, in order. */
export async function insertEmpty(
  client: ClientBase,
  records: readonly StoredEventRecord[],
): Promise<void> {
  let begin = 0;
  for (let end = 1; end <= records.length; end++) {
    const next = records[end];
    const isContinued =
      next !== undefined &&
      end - begin < MOST &&
      compareEventIds(next.id, nextEventId(records[end - 1]!.id)) === 0;
    if (isContinued) continue;
    const { id, txDigest, event } = records[begin]!;
    const times = records.slice(begin, end).map(({ timestamp }) => timestamp);
    const values = [id.txSeq, id.eventSeq, times];
    begin = end;
    const { rowCount } = await client.query(EXTEND, values);
    if (rowCount === 1) continue;
    const { checkpoint } = event as { readonly checkpoint: number };
    await client.query(INSERT, [...values, checkpoint, Buffer.from(txDigest, 'base64')]);
  }
}

/** Removes the empty checkpoints from a number on. `txSeq`: of the transaction before it. */
export async function deleteEmpty(
  client: ClientBase,
  checkpoint: number,
  txSeq: number,
): Promise<void> {
  await client.query(
    'DELETE FROM events.empty_checkpoints WHERE tx_seq >= $2 AND checkpoint >= $1',
    [checkpoint, txSeq],
  );
  await client.query(
    `UPDATE events.empty_checkpoints SET times = times[1:($1 - checkpoint)::integer]
     WHERE tx_seq >= $2 AND checkpoint + cardinality(times) > $1`,
    [checkpoint, txSeq],
  );
}
