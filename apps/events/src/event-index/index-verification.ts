import { isDeepStrictEqual } from 'node:util';
import type {
  CheckpointRange,
  EventsIndexDifference,
  EventsIndexVerification,
  StoredEventRecord,
} from '@forecourt/contracts';
import type { Pool } from 'pg';
import type { EventSource } from '../upstreams/event-source.js';
import type { IndexDatabase } from './store/index-database.js';
import {
  type IndexedLedger,
  readHoles,
  readLedger,
  eventAt,
  type Hole,
  type Place,
  positionOfRecord,
} from './store/indexed-ledger.js';
import { type CheckpointBatch, CheckpointGatherer } from './writing/checkpoint-sink.js';
import { placeOf, IndexSources, requireKept } from './writing/index-sources.js';
import { refused, refusedByNodes, requireRange } from './index-requests.js';
import { recordOf, selectEvents } from './store/index-rows.js';
import { listPostings } from './writing/index-writer.js';

/** A request takes about so long at most; the next one continues. */
const ENOUGH_MS = 5_000;
const SHOWN_DIFFERENCES = 20;

/** A part of a range. */
interface Stretch {
  readonly first: Place;
  readonly end: Place;
  /** False: a hole. */
  readonly isHeld: boolean;
}

/** Compares the index with a ledger node. */
export class IndexVerification {
  constructor(
    private readonly database: IndexDatabase,
    private readonly nodes: readonly EventSource[],
  ) {}

  /**
   * Compares the beginning of a range, or all of it, with the first node that has it. Throws INVALID_REQUEST, LEDGER_UNREACHABLE;
   * rejects when the database does not answer.
   */
  async verify(range: CheckpointRange): Promise<EventsIndexVerification> {
    const ledger = await readLedger(this.database.primary.pool);
    requireRange(range, ledger);
    const { checkpoint } = ledger.first;
    if (range.first_checkpoint < checkpoint) {
      throw refused(`the index begins with checkpoint ${checkpoint}`);
    }
    // A replica that does not write has not compared its nodes with the index.
    const sources = new IndexSources(this.nodes, () => ledger.identity);
    try {
      return await sources.ask((source) => this.verifyWith(source, range, ledger));
    } catch (error) {
      throw refusedByNodes(error);
    }
  }

  private async verifyWith(
    source: EventSource,
    range: CheckpointRange,
    ledger: IndexedLedger,
  ): Promise<EventsIndexVerification> {
    const { pool } = this.database.primary;
    const deadline = performance.now() + ENOUGH_MS;
    const first = await placeOf(source, range.first_checkpoint);
    await requireKept(source, first);
    const next = range.last_checkpoint + 1;
    const end = next === ledger.end.checkpoint ? ledger.end : await placeOf(source, next);
    const differences: EventsIndexDifference[] = [];
    let [compared, events, missing] = [first, 0, 0];
    for (const stretch of divide({ first, end }, await readHoles(pool))) {
      if (performance.now() >= deadline) break;
      if (!stretch.isHeld) {
        missing += stretch.end.checkpoint - stretch.first.checkpoint;
        compared = stretch.end;
        continue;
      }
      for await (const batch of readBatches(source, stretch, deadline)) {
        differences.push(...(await compareBatch(pool, batch)));
        events += batch.records.length;
        compared = batch.end;
      }
      if (compared.position < stretch.end.position) break;
    }
    // The last checkpoints may have no transactions.
    const isDone = compared.position >= end.position;
    return {
      next_checkpoint: isDone ? next : compared.checkpoint,
      events,
      missing_checkpoints: missing,
      node: source.name,
      difference_count: differences.length,
      differences: differences.slice(0, SHOWN_DIFFERENCES),
    };
  }
}

/** The parts of a range that the index holds, and its holes, in order. */
function* divide(
  { first, end }: Pick<Stretch, 'first' | 'end'>,
  holes: readonly Hole[],
): Generator<Stretch> {
  let from = first;
  for (const hole of holes) {
    if (hole.end.position <= from.position || hole.first.position >= end.position) continue;
    if (hole.first.position > from.position) {
      yield { first: from, end: hole.first, isHeld: true };
      from = hole.first;
    }
    const to = hole.end.position < end.position ? hole.end : end;
    yield { first: from, end: to, isHeld: false };
    from = to;
  }
  if (from.position < end.position) yield { first: from, end, isHeld: true };
}

/** The checkpoints of a stretch, as a node delivers them, until the deadline. */
async function* readBatches(
  source: EventSource,
  { first, end }: Stretch,
  deadline: number,
): AsyncGenerator<CheckpointBatch> {
  const gatherer = new CheckpointGatherer(first);
  const stopped = new AbortController();
  const timer = setTimeout(() => stopped.abort(), Math.max(0, deadline - performance.now()));
  try {
    for await (const records of source.follow(eventAt(first.position), stopped.signal)) {
      const inside = records.filter((record) => positionOfRecord(record) < end.position);
      gatherer.add(inside);
      for (let batch = gatherer.take(); batch !== null; batch = gatherer.take()) {
        yield batch;
        if (batch.end.position >= end.position) return;
      }
      if (inside.length < records.length || stopped.signal.aborted) return;
    }
  } finally {
    clearTimeout(timer);
    stopped.abort();
  }
}

/** More than a batch holds: events that only the index has must show as well. */
const MOST_ROWS = 1_000_000;

/** Compares whole checkpoints of a node with the index, event by event; then whether every criterion finds them. */
async function compareBatch(
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
