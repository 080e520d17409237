import type { CheckpointRange, EventsIndex } from '@forecourt/contracts';
import type { EventSource } from '../../upstreams/event-source.js';
import type { IndexDatabase } from '../store/index-database.js';
import { type IndexedLedger, readLedger } from '../store/indexed-ledger.js';
import { placeOf, IndexSources } from '../writing/index-sources.js';
import type { IndexWriter } from '../writing/index-writer.js';
import { readIndexState } from './index-state.js';
import { refused, refusedByNodes, requireRange } from './index-range.js';

/** Requests of operators about the index, at any replica: the one that writes does the work. */
export class IndexRequests {
  constructor(
    private readonly database: IndexDatabase,
    private readonly nodes: readonly EventSource[],
    private readonly writer: IndexWriter,
    private readonly backfillWorkers: number,
  ) {}

  /** Rejects when the database does not answer. */
  read(): Promise<EventsIndex> {
    return readIndexState(this.database.primary.pool, this.nodes);
  }

  /**
   * Lets the holes of a range be read now; a range before the index becomes a part of it. Throws INVALID_REQUEST, LEDGER_UNREACHABLE;
   * rejects when the database does not answer.
   */
  async backfill(range: CheckpointRange): Promise<EventsIndex> {
    const { pool } = this.database.primary;
    const ledger = await readLedger(pool);
    requireRange(range, ledger);
    if (this.backfillWorkers === 0) throw refused('EVENTS_INDEX_BACKFILL is 0');
    if (range.first_checkpoint < ledger.first.checkpoint) await this.extend(range, ledger);
    await pool.query(
      'UPDATE events.holes SET retry_at = now() WHERE first_checkpoint <= $2 AND end_checkpoint > $1',
      [range.first_checkpoint, range.last_checkpoint],
    );
    return this.read();
  }

  private async extend({ first_checkpoint }: CheckpointRange, { first, identity }: IndexedLedger) {
    // A replica that does not write has not compared its nodes with the index.
    const sources = new IndexSources(this.nodes, () => identity);
    const begin = await sources
      .ask((source) => placeOf(source, first_checkpoint))
      .catch((error: unknown) => {
        throw refusedByNodes(error);
      });
    if (begin.position < first.position) await this.writer.extend(begin, first);
  }
}
