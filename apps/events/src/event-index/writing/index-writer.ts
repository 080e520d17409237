import type { ClientBase } from 'pg';
import { copyRows } from '@forecourt/postgres/database';
import type { StoredEventRecord } from '@forecourt/contracts';
import { keyOfTransaction, keysOfEvent } from '../../event-matching/event-criteria.js';
import { deleteEmpty, insertEmpty } from '../store/empty-checkpoints.js';
import type { IndexDatabase } from '../store/index-database.js';
import { hashKey } from '../store/index-rows.js';
import type { IndexPartitions } from '../store/index-partitions.js';
import {
  type Hole,
  type HoleReason,
  type Place,
  eventAt,
  positionOf,
  positionOfRecord,
} from '../store/indexed-ledger.js';
import type { CheckpointBatch } from './checkpoint-sink.js';

/** The index does not end where this process wrote last: another one writes. */
class NotTheWriter extends Error {
  override readonly name = 'NotTheWriter';

  constructor() {
    super('Another process has written to the index of events');
  }
}

const APPEND = `UPDATE events.ledger SET end_checkpoint = $3, end_position = $4, end_at = coalesce($5, end_at), changes = changes + 1,
  linked_digest = $6, linked_checkpoint = CASE WHEN $6::text IS NULL THEN NULL ELSE $3::bigint - 1 END
  WHERE end_checkpoint = $1 AND end_position = $2`;
const SHORTEN = `UPDATE events.ledger SET end_checkpoint = $3, end_position = $4, changes = changes + 1,
  linked_digest = $5, linked_checkpoint = $3::bigint - 1,
  end_at = (SELECT at FROM events.events WHERE position < $4 ORDER BY position DESC LIMIT 1)
  WHERE end_checkpoint = $1 AND end_position = $2`;
const SHORTEN_HOLES = `UPDATE events.holes SET end_checkpoint = $1, end_position = $2 WHERE end_position > $2`;
/**
 * Holes first: a backfill that is filling one ends before the next statement, so that its events are removed
 * as well.
 */
const REMOVED = [
  'holes WHERE first_position',
  ...['events', 'postings', 'marks'].map((table) => `${table} WHERE position`),
];
const BEGIN_EARLIER = `UPDATE events.ledger SET first_checkpoint = $3, first_position = $4, changes = changes + 1
  WHERE first_checkpoint = $1 AND first_position = $2`;
const NARROW = `UPDATE events.holes SET first_checkpoint = $3, first_position = $4, attempts = 0
  WHERE first_position = $1 AND end_position = $2`;
const CLOSE = 'DELETE FROM events.holes WHERE first_position = $1 AND end_position = $2';
const COUNT_CHANGE = 'UPDATE events.ledger SET changes = changes + 1';
const ADD_HOLE = `INSERT INTO events.holes
  (first_checkpoint, first_position, end_checkpoint, end_position, reason, detail) VALUES ($1, $2, $3, $4, $5, $6)`;

/**
 * Adds to the index. Rows and the place up to which they reach change in one transaction, which has no effect
 * unless the index is as this process left it.
 */
export class IndexWriter {
  #lastMarkAt: number | null = null;

  constructor(
    private readonly database: IndexDatabase,
    private readonly partitions: IndexPartitions,
  ) {}

  /**
   * Adds checkpoints at the end, in the session that holds the writer's lock. `digest`: of the last one;
   * null: the dialect shows none. Throws `NotTheWriter`.
   */
  async append(session: ClientBase, batch: CheckpointBatch, digest: string | null): Promise<void> {
    const { first, end, endAt } = batch;
    await this.preparePartitions(batch);
    let markAt = this.#lastMarkAt;
    await inTransaction(session, async () => {
      await requireChange(session, APPEND, [...valuesOf(first), ...valuesOf(end), endAt, digest]);
      markAt = await writeBatch(session, batch, markAt);
    });
    this.#lastMarkAt = markAt;
  }

  /** Removes everything from a place on. `digest`: of the checkpoint before it. Throws `NotTheWriter`. */
  async shorten(session: ClientBase, end: Place, to: Place, digest: string): Promise<void> {
    await inTransaction(session, async () => {
      for (const rows of REMOVED) {
        await session.query(`DELETE FROM events.${rows} >= $1`, [to.position]);
      }
      await session.query(SHORTEN_HOLES, valuesOf(to));
      await requireChange(session, SHORTEN, [...valuesOf(end), ...valuesOf(to), digest]);
      await deleteEmpty(session, to.checkpoint, eventAt(to.position).txSeq - 1);
    });
    this.#lastMarkAt = null;
  }

  /** Leaves out checkpoints at the end, which no node delivers. Throws `NotTheWriter`. */
  async skip(session: ClientBase, hole: Hole): Promise<void> {
    const { first, end } = hole;
    await inTransaction(session, async () => {
      await requireChange(session, APPEND, [...valuesOf(first), ...valuesOf(end), null, null]);
      await addHole(session, hole);
    });
  }

  /**
   * Lets the index begin earlier, with a hole up to where it began. Has no effect if it begins elsewhere by
   * now.
   */
  async extend(first: Place, former: Place): Promise<void> {
    // Otherwise the partitions that it then holds could be dropped as too old.
    await this.partitions.exclusively(async (client) => {
      const { rowCount } = await client.query(BEGIN_EARLIER, [
        ...valuesOf(former),
        ...valuesOf(first),
      ]);
      if (rowCount === 0) return;
      await addHole(client, { first, end: former, reason: 'waiting', detail: '', attempts: 0 });
    });
  }

  /**
   * Adds the first checkpoints of a hole; returns the rest of it, null if it is complete. Throws
   * `NotTheWriter`.
   */
  async fill(hole: Hole, batch: CheckpointBatch): Promise<Hole | null> {
    await this.preparePartitions(batch);
    return this.database.primary.transaction(async (client) => {
      // A crash of the server may lose the rows, and then loses the change of the hole as well.
      await client.query('SET LOCAL synchronous_commit = off');
      const bounds = [hole.first.position, hole.end.position];
      const isFull = batch.end.checkpoint >= hole.end.checkpoint;
      const left = { ...hole, first: within(batch.end, hole.end), attempts: 0 };
      if (isFull) await requireChange(client, CLOSE, bounds);
      else await requireChange(client, NARROW, [...bounds, ...valuesOf(left.first)]);
      await writeBatch(client, batch, null);
      // Last: the writer of new events waits for this row.
      await client.query(COUNT_CHANGE);
      return isFull ? null : left;
    });
  }

  /** Removes a hole in which there turned out to be no events. Throws `NotTheWriter`. */
  async close({ first, end }: Hole): Promise<void> {
    await this.database.primary.transaction((client) =>
      requireChange(client, CLOSE, [first.position, end.position]),
    );
  }

  /** Divides a hole at a place; returns the newer part. Throws `NotTheWriter`. */
  async split(hole: Hole, cut: Place): Promise<Hole> {
    const newer: Hole = { ...hole, first: cut };
    await this.database.primary.transaction(async (client) => {
      const CUT = `UPDATE events.holes SET end_checkpoint = $3, end_position = $4
        WHERE first_position = $1 AND end_position = $2`;
      await requireChange(client, CUT, [hole.first.position, hole.end.position, ...valuesOf(cut)]);
      await addHole(client, newer);
    });
    return newer;
  }

  /** Notes why a hole cannot be filled, and when to try again. */
  async postpone(hole: Hole, reason: HoleReason, detail: string, seconds: number): Promise<void> {
    await this.database.primary.pool.query(
      `UPDATE events.holes SET reason = $3, detail = $4, attempts = attempts + 1, retry_at = now() + make_interval(secs => $5)
       WHERE first_position = $1 AND end_position = $2`,
      [hole.first.position, hole.end.position, reason, storable(detail), seconds],
    );
  }

  private async preparePartitions({ first, end }: CheckpointBatch): Promise<void> {
    if (first.position === end.position) return;
    await this.partitions.ensure(first.position, end.position - 1);
  }
}

async function addHole(client: ClientBase, hole: Hole): Promise<void> {
  const { first, end, reason, detail } = hole;
  await client.query(ADD_HOLE, [...valuesOf(first), ...valuesOf(end), reason, storable(detail)]);
}

/** The beginning of the rest of a hole: a position in it also where only empty checkpoints are left. */
function within({ checkpoint, position }: Place, end: Place): Place {
  return { checkpoint, position: Math.min(position, end.position - 1) };
}

function valuesOf({ checkpoint, position }: Place): [number, number] {
  return [checkpoint, position];
}

/** Throws `NotTheWriter` unless the statement changes a row. */
async function requireChange(client: ClientBase, sql: string, values: unknown[]): Promise<void> {
  const { rowCount } = await client.query(sql, values);
  if (rowCount !== 1) throw new NotTheWriter();
}

/** A transaction of a session; after a failure, the session must end. */
async function inTransaction(session: ClientBase, run: () => Promise<void>): Promise<void> {
  await session.query('BEGIN');
  await run();
  await session.query('COMMIT');
}

function storable(detail: string): string {
  return detail.slice(0, 1_000).replaceAll('\0', '');
}

/** A mark for at most so many events, besides the one of each batch's beginning. */
const EVENTS_PER_MARK = 1_000;
/** While few events arrive, each checkpoint is a batch: marks are this far apart. */
const MARK_EVERY_MS = 10_000;

/**
 * Copies the rows of a batch into their tables. `lastMarkAt`: the time of the mark before. Returns that of
 * the newest mark.
 */
async function writeBatch(
  client: ClientBase,
  batch: CheckpointBatch,
  lastMarkAt: number | null,
): Promise<number | null> {
  const { records, empty } = batch;
  await copyRows(
    client,
    'events.events',
    ['position', 'at', 'transaction', 'event'],
    rows(records),
  );
  // In the order of the index, whose pages are then read once.
  const postings = listPostings(records).sort((a, b) => a.order - b.order);
  await copyRows(
    client,
    'events.postings',
    ['key', 'position'],
    postings.map(({ hash: key, position }) => ({ key, position })),
  );
  await insertEmpty(client, empty);
  const marks = listMarks(batch, lastMarkAt);
  if (marks.length === 0) return lastMarkAt;
  await copyRows(client, 'events.marks', ['position', 'at'], marks);
  return marks.at(-1)!.at;
}

function* rows(records: readonly StoredEventRecord[]) {
  for (const record of records) {
    const { timestamp, txDigest, event } = record;
    yield {
      position: positionOfRecord(record),
      at: timestamp,
      transaction: `\\x${Buffer.from(txDigest, 'base64').toString('hex')}`,
      event: JSON.stringify(event),
    };
  }
}

/** A key of an event. */
interface Posting {
  readonly hash: string;
  /** The hash, less exactly: to compare texts as numbers takes longer than everything else. */
  readonly order: number;
  readonly position: number;
}

function listPostings(records: readonly StoredEventRecord[]): Posting[] {
  const postings: Posting[] = [];
  let transaction: number | null = null;
  const add = (key: string, position: number) => {
    const hash = hashKey(key);
    postings.push({ hash, order: Number(hash), position });
  };
  for (const record of records) {
    const position = positionOfRecord(record);
    for (const key of keysOfEvent(record)) add(key, position);
    if (record.id.txSeq === transaction) continue;
    transaction = record.id.txSeq;
    add(keyOfTransaction(record.txDigest), position);
  }
  return postings;
}

interface Mark {
  readonly position: number;
  readonly at: number;
}

/** Beginnings of checkpoints with their times. */
function listMarks({ first, records }: CheckpointBatch, lastMarkAt: number | null): Mark[] {
  const marks: Mark[] = [];
  let begin = first.position;
  let since = 0;
  let lastAt = lastMarkAt;
  for (const { event, timestamp, id } of records) {
    since += 1;
    if (!('checkpoint' in event)) continue;
    if (lastAt === null || since > EVENTS_PER_MARK || timestamp - lastAt >= MARK_EVERY_MS) {
      marks.push({ position: begin, at: timestamp });
      lastAt = timestamp;
      since = 0;
    }
    begin = positionOf(id.txSeq + 1);
  }
  return marks;
}
