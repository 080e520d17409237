import { type GetEventsRequest, type StoredEventRecord, writeCursor } from '@forecourt/contracts';
import { compileCriterion, describeEvent, keyOfCriterion } from '@forecourt/event-matching';
import { cacheRead } from '@forecourt/runtime/metrics';
import type { Pool } from 'pg';
import {
  estimateRecordBytes,
  type LedgerIdentity,
  type SourcePage,
} from '../../upstreams/event-source.js';
import { isOtherLedger } from '../../upstreams/ledger-identity.js';
import type { NodeSession } from '../../upstreams/node-calls.js';
import { OtherLedgerIndexed } from '../../upstreams/past-events.js';
import { UpstreamFailed } from '../../upstreams/upstream-errors.js';
import { hashKey } from '../store/criterion-hash.js';
import { findTimes } from './find-times.js';
import type { FreshReads } from './fresh-reads.js';
import { findHeldRange, type HeldRange, type WantedRange } from './held-range.js';
import { BeforeIndex, InHole } from './index-errors.js';
import type { IndexDatabase } from '../store/index-database.js';
import {
  type EventRow,
  recordOf,
  selectEvents,
  selectEventsAt,
  selectPositions,
} from '../store/index-rows.js';
import {
  type IndexedLedger,
  type LedgerAround,
  readAround,
  readHoles,
  readLedger,
} from '../store/indexed-ledger.js';
import { eventAt, LAST_POSITION, positionOf } from '../store/place.js';

/** Records of one part of a page: more at once would delay other clients, and the largest would not fit into memory. */
const RECORDS_PER_PART = 100;

/** Every subscription asks which ledger the index holds: those within this time share one read. */
const LEDGER_AGE_MS = 250;

interface Part {
  readonly rows: readonly EventRow[];
  /** The position of the first further one; null: there are no more in the range. */
  readonly next: number | null;
}

/** Answers queries from the index, with the pages that nodes return. */
export class IndexQueries {
  readonly #readLedger = cacheRead(() => readLedger(this.database.primary.pool), LEDGER_AGE_MS);

  /** `followed`: the identity of the ledger that live events come from; null while it is unknown. */
  constructor(
    private readonly database: IndexDatabase,
    private readonly reads: FreshReads,
    private readonly followed: () => LedgerIdentity | null,
  ) {}

  /**
   * Throws `UnsupportedByUpstream` if the index does not hold the beginning of the page, `OtherLedgerIndexed` while it holds another
   * ledger than the node serves, `UpstreamFailed` if it cannot answer now.
   */
  getEvents(request: GetEventsRequest, session: NodeSession): Promise<SourcePage> {
    return session.readIndex(() => this.read(request, session));
  }

  private async read(request: GetEventsRequest, session: NodeSession): Promise<SourcePage> {
    const { criterion, limit } = request;
    const wanted = await this.findWanted(request);
    if (wanted === null) return { data: [], nextCursor: null };
    const held = await this.readHeld(wanted);
    const range = findHeldRange(held, wanted);
    const pool = await this.reads.choose(held.changes);
    const asked = Math.min(limit, RECORDS_PER_PART);
    const { rows, next } = await readPart(pool, request, range, asked);
    const matches = compileCriterion(criterion);
    const data: StoredEventRecord[] = [];
    for (const row of rows) {
      const record = recordOf(row);
      // Two keys may have the same hash.
      if (!matches(record, describeEvent(record.event))) continue;
      session.addMemory(estimateRecordBytes(record));
      data.push(record);
    }
    if (next !== null) return { data, nextCursor: next, goesOn: asked < limit };
    const { lacks } = range;
    if (lacks === null) return { data, nextCursor: null };
    if (data.length === 0) throw lacks.error;
    // This page contains the events before the gap; the next page begins with the gap, and fails.
    return { data, nextCursor: lacks.cursor };
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

  /** The position of its first event; null if the ledger has no such transaction. Throws `UnsupportedByUpstream` if it may be where the index has nothing. */
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
    if (held.first.position > 0) throw new BeforeIndex(held.first);
    const [hole] = await readHoles(pool, { limit: 1 });
    if (hole !== undefined) throw new InHole(hole);
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

async function readPart(
  pool: Pool,
  { criterion, descending }: GetEventsRequest,
  { low, high }: HeldRange,
  asked: number,
): Promise<Part> {
  const query = { low, high, descending, limit: asked + 1 };
  if (criterion.key === 'Transaction') return divide(await selectEvents(pool, query, null), asked);
  const key = keyOfCriterion(criterion);
  if (key === null) {
    const times = criterion.key === 'TimeRange' ? criterion.value : null;
    return divide(await selectEvents(pool, query, times), asked);
  }
  const positions = await selectPositions(pool, hashKey(key), query);
  const rows = await selectEventsAt(pool, positions.slice(0, asked), descending);
  return { rows, next: positions[asked] ?? null };
}

function divide(rows: readonly EventRow[], asked: number): Part {
  return { rows: rows.slice(0, asked), next: rows[asked]?.position ?? null };
}
