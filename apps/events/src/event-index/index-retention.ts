import type { IndexDatabase } from './store/index-database.js';
import {
  PARTITION_SPAN,
  partitionOf,
  CHECKPOINT_KEY,
  recordOf,
  selectEventsAt,
  selectPositions,
} from './store/index-rows.js';
import type { IndexPartitions } from './store/index-partitions.js';
import { eventAt, type Place, placeAfter, readLedger } from './store/indexed-ledger.js';

const DAY_MS = 86_400_000;
/** Readers that know the former beginning have read its rows long before. */
const GRACE = '2 minutes';

/**
 * Removes the oldest events, a partition at a time: first the index begins later, then its former partitions
 * are dropped.
 */
export class IndexRetention {
  constructor(
    private readonly database: IndexDatabase,
    private readonly partitions: IndexPartitions,
    private readonly days: number,
  ) {}

  /** Rejects when the database does not answer, or tables are locked. */
  async run(now = Date.now()): Promise<void> {
    await this.dropPartitions();
    if (this.days > 0) await this.raiseFirst(now - this.days * DAY_MS);
  }

  private async dropPartitions(): Promise<void> {
    const { pool } = this.database.primary;
    const { rows } = await pool.query<{ first: number }>(
      `SELECT first_position AS first FROM events.ledger WHERE first_raised_at < now() - interval '${GRACE}'`,
    );
    if (rows[0] === undefined) return;
    const { first } = rows[0];
    for (const partition of await this.partitions.list()) {
      if ((partition + 1) * PARTITION_SPAN <= first) await this.partitions.drop(partition);
    }
    await pool.query('DELETE FROM events.marks WHERE position < $1', [first]);
    await pool.query('DELETE FROM events.empty_checkpoints WHERE tx_seq < $1', [
      eventAt(first).txSeq,
    ]);
  }

  /** Lets the index begin with the partition that contains a time. */
  private async raiseFirst(time: number): Promise<void> {
    const { pool } = this.database.primary;
    const ledger = await readLedger(pool);
    const { rows } = await pool.query<{ position: number }>(
      'SELECT position FROM events.marks WHERE at < $1 ORDER BY at DESC, position DESC LIMIT 1',
      [time],
    );
    if (ledger === null || rows[0] === undefined) return;
    const low = partitionOf(rows[0].position) * PARTITION_SPAN;
    if (low <= ledger.first.position) return;
    const first = await this.findCheckpoint(low, ledger.end);
    if (first !== null) await this.begin(first);
  }

  /** The first place in the partition: after the checkpoint that ends first in it. */
  private async findCheckpoint(low: number, end: Place): Promise<Place | null> {
    const { pool } = this.database.primary;
    const query = { low, high: end.position, descending: false, limit: 1 };
    const positions = await selectPositions(pool, CHECKPOINT_KEY, query);
    const [row] = await selectEventsAt(pool, positions, false);
    if (row === undefined) return null;
    const record = recordOf(row);
    return 'checkpoint' in record.event ? placeAfter(record, record.event.checkpoint) : null;
  }

  private async begin({ checkpoint, position }: Place): Promise<void> {
    await this.database.primary.transaction(async (client) => {
      await client.query('DELETE FROM events.holes WHERE end_position <= $1', [position]);
      await client.query(
        'UPDATE events.holes SET first_checkpoint = $1, first_position = $2 WHERE first_position < $2',
        [checkpoint, position],
      );
      await client.query(
        `UPDATE events.ledger SET first_checkpoint = $1, first_position = $2, first_raised_at = now()
         WHERE first_position < $2`,
        [checkpoint, position],
      );
    });
  }
}
