import {
  compareEventIds,
  type EventId,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import type { ClientBase } from 'pg';

/** Rows stay small, because the last one is written again with each checkpoint. */
const MOST = 256;

/** The event of an empty checkpoint. */
interface EmptyRow {
  readonly tx_seq: number;
  readonly event_seq: number;
  readonly checkpoint: number;
  readonly transaction: Buffer;
  /** In ms. */
  readonly time: number;
}

export interface EmptyQuery {
  /** The first id, and the one after the last. */
  readonly from: EventId;
  readonly to: EventId;
  readonly times: { readonly startTime: number; readonly endTime: number } | null;
  readonly descending: boolean;
  readonly limit: number;
}

const BEFORE_TIME = `SELECT tx_seq, event_seq FROM events.empty_checkpoints WHERE times[1] < $1
  ORDER BY times[1] DESC, tx_seq DESC, event_seq DESC LIMIT 1`;
const AFTER_TIME = `SELECT tx_seq, event_seq FROM events.empty_checkpoints WHERE times[1] > $1
  ORDER BY times[1], tx_seq, event_seq LIMIT 1`;

/** The events of empty checkpoints, in the order of the query. */
export async function selectEmpty(
  client: Pick<ClientBase, 'query'>,
  query: EmptyQuery,
): Promise<StoredEventRecord[]> {
  const { times, descending, limit } = query;
  const from = latest(
    query.from,
    times && (await findByTime(client, BEFORE_TIME, times.startTime)),
  );
  const to = earliest(query.to, times && (await findByTime(client, AFTER_TIME, times.endTime)));
  const order = descending ? 'DESC' : 'ASC';
  const { rows } = await client.query<EmptyRow>(
    // The bound on runs keeps the planner from sorting all of them.
    `SELECT tx_seq, event_seq + at - 1 AS event_seq, checkpoint + at - 1 AS checkpoint, transaction, time
     FROM (
       SELECT * FROM events.empty_checkpoints
       WHERE (tx_seq, event_seq) > ($1, $2) AND (tx_seq, event_seq) < ($3, $4)
       ORDER BY tx_seq ${order}, event_seq ${order} LIMIT $9::integer + 1
     ) run, unnest(times) WITH ORDINALITY AS one(time, at)
     WHERE (tx_seq, event_seq + at - 1) >= ($5, $6) AND (tx_seq, event_seq + at - 1) < ($3, $4)
       AND time BETWEEN $7 AND $8
     ORDER BY tx_seq ${order}, run.event_seq ${order}, at ${order} LIMIT $9`,
    [
      from.txSeq,
      // The row that contains the first id may begin before it.
      from.eventSeq - MOST,
      to.txSeq,
      to.eventSeq,
      query.from.txSeq,
      query.from.eventSeq,
      times?.startTime ?? 0,
      times?.endTime ?? Number.MAX_SAFE_INTEGER,
      limit,
    ],
  );
  return rows.map(recordOf);
}

async function findByTime(
  client: Pick<ClientBase, 'query'>,
  sql: string,
  time: number,
): Promise<EventId | null> {
  const { rows } = await client.query<Pick<EmptyRow, 'tx_seq' | 'event_seq'>>(sql, [time]);
  return rows[0] === undefined ? null : { txSeq: rows[0].tx_seq, eventSeq: rows[0].event_seq };
}

function latest(a: EventId, b: EventId | null): EventId {
  return b !== null && compareEventIds(b, a) > 0 ? b : a;
}

function earliest(a: EventId, b: EventId | null): EventId {
  return b !== null && compareEventIds(b, a) < 0 ? b : a;
}

function recordOf(row: EmptyRow): StoredEventRecord {
  return {
    timestamp: row.time,
    txDigest: row.transaction.toString('base64'),
    id: { txSeq: row.tx_seq, eventSeq: row.event_seq },
    event: { checkpoint: row.checkpoint },
  };
}

const EXTEND = `UPDATE events.empty_checkpoints SET times = times || $3::bigint[]
  WHERE tx_seq = $1 AND event_seq + cardinality(times) = $2 AND cardinality(times) + cardinality($3::bigint[]) <= ${MOST}
    AND event_seq = (SELECT max(event_seq) FROM events.empty_checkpoints WHERE tx_seq = $1 AND event_seq < $2)`;
const INSERT = `INSERT INTO events.empty_checkpoints (tx_seq, event_seq, times, checkpoint, transaction)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;

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
