import { Injectable } from '@nestjs/common';
import { Database, lockForTransaction } from './database.js';
import { DAY_MS, dayOf, firstIdAt, REFUSAL_BITS, RESERVATION_BITS } from './record-ids.js';

/**
 * The tables with a partition for each day, and where their ids hold the time. A process that locks several
 * locks them in this order, as writers do: then no two wait for each other.
 */
const partitioned = {
  sponsorships: RESERVATION_BITS,
  sponsorship_functions: RESERVATION_BITS,
  refusals: REFUSAL_BITS,
  refusal_functions: REFUSAL_BITS,
  decided_transactions: REFUSAL_BITS,
  sponsorship_errors: RESERVATION_BITS,
} as const;

type PartitionedTable = keyof typeof partitioned;
const TABLES = Object.entries(partitioned);
/** Statements wait behind one that wants such a lock: rather try again. */
const LOCK_WAIT = '2s';
const LISTED_FOR_MS = 10_000;

/** `20261125`. */
function nameOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10).replaceAll('-', '');
}

function dayNamed(name: string): number {
  return Date.parse(`${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`);
}

/** The daily partitions of the tables of records. */
@Injectable()
export class Partitions {
  /** Days that have partitions, unless another replica has dropped them since. */
  readonly #known = new Set<number>();
  #listed: { readonly first: number | null; readonly readAt: number } | null = null;

  constructor(private readonly database: Database) {}

  /** Reads from the database which days have partitions of a table, in order. */
  async list(table: PartitionedTable = 'sponsorships'): Promise<readonly number[]> {
    const { rows } = await this.database.pool.query<{ name: string }>(
      `SELECT right(relid::text, 8) AS name FROM pg_partition_tree($1) WHERE level = 1`,
      [table],
    );
    return rows.map(({ name }) => dayNamed(name)).sort((a, b) => a - b);
  }

  /** The first day with partitions, as of a short while ago; null: there are none. */
  async first(): Promise<number | null> {
    const now = performance.now();
    if (this.#listed === null || now - this.#listed.readAt > LISTED_FOR_MS) {
      const [first = null] = await this.list();
      this.#listed = { first, readAt: now };
    }
    return this.#listed.first;
  }

  /** Creates the partitions of the days of these times, where they are missing. */
  async ensure(times: Iterable<number>): Promise<void> {
    const missing = new Set([...times].map(dayOf).filter((day) => !this.#known.has(day)));
    for (const day of missing) {
      await this.create(day);
      this.#known.add(day);
    }
  }

  /** A partition was missing that had been there: all are looked up again. */
  forget(): void {
    this.#known.clear();
  }

  /** Drops the partitions of a day, or the one of a table. Rejects while others use the tables for long. */
  async drop(day: number, only?: PartitionedTable): Promise<void> {
    this.#known.delete(day);
    await this.database.transaction(async (client) => {
      await client.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
      await lockForTransaction(client, 'partitions');
      for (const table of only === undefined ? TABLES.map(([name]) => name) : [only])
        await client.query(`DROP TABLE IF EXISTS ${table}_${nameOf(day)}`);
    });
  }

  private async create(day: number): Promise<void> {
    await this.database.transaction(async (client) => {
      await lockForTransaction(client, 'partitions');
      for (const [table, bits] of TABLES) {
        const partition = `${table}_${nameOf(day)}`;
        const found = await client.query('SELECT to_regclass($1) AS found', [partition]);
        if ((found.rows[0] as { found: unknown }).found !== null) continue;
        const [from, to] = [firstIdAt(day, bits), firstIdAt(day + DAY_MS, bits)];
        // Attaching an empty table, unlike creating it as a partition, lets others read and write the rest.
        await client.query(`CREATE TABLE ${partition} (LIKE ${table} INCLUDING GENERATED)`);
        await client.query(
          `ALTER TABLE ${table} ATTACH PARTITION ${partition} FOR VALUES FROM (${from}) TO (${to})`,
        );
      }
    });
  }
}
