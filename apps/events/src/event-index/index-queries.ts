import { type GetEventsRequest, type StoredEventRecord, writeCursor } from '@forecourt/contracts';
import { compileCriterion, keyOfCriterion } from '../event-matching/event-criteria.js';
import { describeEvent } from '../event-matching/event-traits.js';
import { rememberAnswer } from '@forecourt/resilience';
import type { Pool } from 'pg';
import { OtherLedgerIndexed } from '../upstreams/other-ledger-indexed.js';
import { UnsupportedByUpstream } from '../upstreams/unsupported-by-upstream.js';
import { UpstreamFailed } from '../upstreams/upstream-failed.js';
import {
  estimateRecordBytes,
  type LedgerIdentity,
  type SourcePage,
  isOtherLedger,
} from '../upstreams/event-source.js';
import type { NodeSession } from '../upstreams/node-calls.js';
import { readPart } from './store/read-part.js';
import { hashKey, selectPositions } from './store/index-rows.js';
import type { IndexDatabase } from './store/index-database.js';
import {
  type IndexedLedger,
  type LedgerAround,
  readAround,
  readHoles,
  readLedger,
  eventAt,
  LAST_POSITION,
  positionOf,
} from './store/indexed-ledger.js';
import { beforeIndex, inHole } from './index-lacks.js';
import { FreshReads } from './fresh-reads.js';

/**
 * Records of one part of a page: more at once would delay other clients, and the largest would not fit into
 * memory.
 */
const RECORDS_PER_PART = 100;

/** Every subscription asks which ledger the index holds: those within this time share one read. */
const LEDGER_AGE_MS = 250;

/** Answers queries from the index, with the pages that nodes return. */
export class IndexQueries {
  readonly reads: FreshReads;
  readonly #readLedger = rememberAnswer(
    () => readLedger(this.database.primary.pool),
    LEDGER_AGE_MS,
  );

  /** `followed`: the identity of the ledger that live events come from; null while it is unknown. */
  constructor(
    private readonly database: IndexDatabase,
    private readonly followed: () => LedgerIdentity | null,
  ) {
    this.reads = new FreshReads(database);
  }

  /**
   * Throws `UnsupportedByUpstream` if the index does not hold the beginning of the page, `OtherLedgerIndexed`
   * while it holds another ledger than the node serves, `UpstreamFailed` if it cannot answer now.
   */
  getEvents(request: GetEventsRequest, session: NodeSession): Promise<SourcePage> {
    return session.readIndex(() => this.read(request, session));
  }

  private async read(request: GetEventsRequest, session: NodeSession): Promise<SourcePage> {
    const { criterion, limit } = request;
    const requestedRange = await this.findWanted(request);
    if (requestedRange === null) return { data: [], nextCursor: null };
    const heldLedger = await this.readHeld(requestedRange);
    const range = findHeldRange(heldLedger, requestedRange);
    const pool = await this.reads.choose(heldLedger.changes);
    const recordLimit = Math.min(limit, RECORDS_PER_PART);
    const { records, next } = await readPart(pool, request, range, recordLimit);
    const matches = compileCriterion(criterion);
    const data: StoredEventRecord[] = [];
    for (const record of records) {
      // Two keys may have the same hash.
      if (!matches(record, describeEvent(record.event))) continue;
      session.addMemory(estimateRecordBytes(record));
      data.push(record);
    }
    if (next !== null) return { data, nextCursor: next, goesOn: recordLimit < limit };
    const { lacks } = range;
    if (lacks === null) return { data, nextCursor: null };
    if (data.length === 0) throw lacks.error;
    // This page contains the events before the gap; the next page begins with the gap, and fails.
    return { data, nextCursor: eventAt(lacks.cursor) };
  }

  /** Throws `OtherLedgerIndexed` while live events come from another ledger than the index holds. */
  async requireSameLedger(): Promise<void> {
    const ledger = await this.#readLedger();
    if (ledger !== null) this.compareLedgers(ledger);
  }

  /** The positions that the criterion and the cursor allow; null: none. */
  private async findWanted(request: GetEventsRequest): Promise<WantedRange | null> {
    const { criterion, cursor, descending } = request;
    let [first, last] = [0, LAST_POSITION];
    if (criterion.key === 'TimeRange') {
      ({ first, last } = await findTimes(this.database.primary.pool, criterion.value));
    } else if (criterion.key === 'Transaction') {
      const begin = await this.findTransaction(hashKey(keyOfCriterion(criterion)!));
      if (begin === null) return null;
      [first, last] = [begin, positionOf(eventAt(begin).txSeq + 1) - 1];
    }
    const from = cursor === null ? null : writeCursor(cursor);
    return descending
      ? { start: Math.min(from ?? last, last), last: first, descending }
      : { start: Math.max(from ?? first, first), last, descending };
  }

  /**
   * The position of its first event; null if the ledger has no such transaction. Throws
   * `UnsupportedByUpstream` if it may be where the index has nothing.
   */
  private async findTransaction(key: string): Promise<number | null> {
    const { pool } = this.database.primary;
    const held = await this.readHeld({ start: 0, last: LAST_POSITION, descending: false });
    const [position] = await selectPositions(pool, key, {
      low: held.first.position,
      high: held.end.position,
      descending: true,
      limit: 1,
    });
    if (position !== undefined) return position;
    if (held.first.position > 0) throw beforeIndex(held.first);
    const [hole] = await readHoles(pool, { limit: 1 });
    if (hole !== undefined) throw inHole(hole);
    return null;
  }

  private async readHeld({ start, descending }: WantedRange): Promise<LedgerAround> {
    const held = await readAround(this.database.primary.pool, start, descending);
    if (held === null) {
      throw new UpstreamFailed('The index of events has not begun yet; retry shortly');
    }
    this.compareLedgers(held);
    return held;
  }

  private compareLedgers({ identity }: Pick<IndexedLedger, 'identity'>): void {
    const followed = this.followed();
    if (followed !== null && isOtherLedger(identity, followed)) {
      throw new OtherLedgerIndexed(identity, followed);
    }
  }
}

/** Positions that a query wants, both ends included, from `start` in its direction. */
interface WantedRange {
  readonly start: number;
  /** The last one in the direction. */
  readonly last: number;
  readonly descending: boolean;
}

/** The part of a wanted range that the index holds without interruption. */
interface HeldRange {
  /** Positions from `low` to before `high`. */
  readonly low: number;
  readonly high: number;
  /**
   * The error for the wanted positions after this part, which begin at the cursor. Null: the part is
   * everything.
   */
  readonly lacks: { readonly error: UnsupportedByUpstream; readonly cursor: number } | null;
}

/**
 * Throws `UnsupportedByUpstream` if the index does not hold the beginning of the range. `held`: what it
 * holds around `start`.
 */
function findHeldRange(held: LedgerAround, wanted: WantedRange): HeldRange {
  return wanted.descending ? findOlder(held, wanted) : findNewer(held, wanted);
}

function findNewer({ first, end, hole }: LedgerAround, { start, last }: WantedRange): HeldRange {
  if (start < first.position && start <= last) throw beforeIndex(first);
  const high = Math.min(last + 1, end.position);
  if (hole === null || hole.first.position >= high) return { low: start, high, lacks: null };
  if (hole.first.position <= start) {
    if (start < high) throw inHole(hole);
    return { low: start, high, lacks: null };
  }
  const { position } = hole.first;
  return { low: start, high: position, lacks: { error: inHole(hole), cursor: position } };
}

function findOlder({ first, end, hole }: LedgerAround, { start, last }: WantedRange): HeldRange {
  const high = Math.min(start, end.position - 1) + 1;
  if (high <= last) return { low: high, high, lacks: null };
  if (high <= first.position && first.position > 0) throw beforeIndex(first);
  if (hole !== null && hole.end.position > last && hole.first.position < high) {
    if (hole.end.position >= high) throw inHole(hole);
    const { position } = hole.end;
    return { low: position, high, lacks: { error: inHole(hole), cursor: position - 1 } };
  }
  if (first.position > last) {
    const { position } = first;
    return { low: position, high, lacks: { error: beforeIndex(first), cursor: position - 1 } };
  }
  return { low: last, high, lacks: null };
}

const LAST_BEFORE = `SELECT position FROM events.marks WHERE at < $1 ORDER BY at DESC, position DESC LIMIT 1`;
const FIRST_AFTER = `SELECT position FROM events.marks WHERE at > $2 ORDER BY at, position LIMIT 1`;

/**
 * Positions that contain every event of a range of times, both ends included: times never decrease along the
 * ledger. There are up to a few thousand other events at both ends.
 */
async function findTimes(
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
