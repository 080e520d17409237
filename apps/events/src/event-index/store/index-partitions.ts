import type { ClientBase } from 'pg';
import { type IndexDatabase, INDEX_LOCKS } from './index-database.js';
import { PARTITION_SPAN, partitionOf } from './index-rows.js';

const TABLES = ['events', 'postings'] as const;
/** Statements wait behind one that wants such a lock: rather try again. */
const LOCK_WAIT = '2s';

/** The partitions of the tables of rows, by the ledger's order. */
export class IndexPartitions {
  #known = new Set<number>();

  constructor(private readonly database: IndexDatabase) {}

  /** The partitions that exist, in order. */
  async list(): Promise<readonly number[]> {
    const { rows } = await this.database.primary.pool.query<{ name: string }>(
      `SELECT relid::text AS name FROM pg_partition_tree('events.events') WHERE level = 1`,
    );
    const numbers = rows.map(({ name }) => Number(name.slice(name.lastIndexOf('_') + 1)));
    this.#known = new Set(numbers);
    return numbers.sort((a, b) => a - b);
  }

  /** Creates the partitions of the positions from `first` to `last` that are missing. */
  async ensure(first: number, last: number): Promise<void> {
    for (let number = partitionOf(first); number <= partitionOf(last); number++) {
      if (this.#known.has(number)) continue;
      await this.create(number);
      this.#known.add(number);
    }
  }

  /** Called after a failure: another process may have dropped a partition. */
  forget(): void {
    this.#known.clear();
  }

  /** Has no effect on a partition that the index holds. Rejects while others use the tables for long. */
  async drop(number: number): Promise<void> {
    await this.exclusively(async (client) => {
      const { rowCount } = await client.query(
        'SELECT FROM events.ledger WHERE first_position < $1',
        [(number + 1) * PARTITION_SPAN],
      );
      if (rowCount === 1) return;
      this.#known.delete(number);
      await client.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
      for (const table of TABLES) {
        await client.query(`DROP TABLE IF EXISTS events.${table}_${number}`);
      }
    });
  }

  private async create(number: number): Promise<void> {
    await this.exclusively(async (client) => {
      for (const table of TABLES) {
        const partition = `events.${table}_${number}`;
        const found = await client.query('SELECT to_regclass($1) AS found', [partition]);
        if ((found.rows[0] as { found: unknown }).found !== null) continue;
        const [from, to] = [number * PARTITION_SPAN, (number + 1) * PARTITION_SPAN];
        // Attaching an empty table, unlike creating it as a partition, lets others read and write the rest.
        await client.query(`CREATE TABLE ${partition} (LIKE events.${table})`);
        await client.query(
          `ALTER TABLE events.${table} ATTACH PARTITION ${partition} FOR VALUES FROM (${from}) TO (${to})`,
        );
      }
    });
  }

  /** A transaction during which no process creates or drops partitions. */
  async exclusively(run: (client: ClientBase) => Promise<void>): Promise<void> {
    await this.database.primary.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1, $2)', [...INDEX_LOCKS.partitions]);
      await run(client);
    });
  }
}
