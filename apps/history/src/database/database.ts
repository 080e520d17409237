import { applyMigrations, openPool, PostgresDatabase } from '@forecourt/postgres/database';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.js';

export interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databaseConnections: number;
}

/** A gateway waits little longer for an answer. */
export const ANSWER_MS = 12_000;

/** Times are numbers: milliseconds since 1970. Other large numbers stay text. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => Date.parse(text));

/** The database of history. Its `pool` is for writing. */
export class Database extends PostgresDatabase {
  /** For answers, which callers may make expensive: they never take the connections of writers. */
  readonly readers: pg.Pool;
  /** Statements of `readers`. */
  readonly query: Kysely<Tables>;

  /** `onError`: a connection has broken; a statement on it rejects as well. */
  constructor(
    { databaseUrl, databaseConnections }: DatabaseSettings,
    onError?: (error: Error) => void,
  ) {
    const readers = Math.floor(databaseConnections / 2);
    const options = { url: databaseUrl, application: 'forecourt-history', types, onError };
    super({ ...options, connections: databaseConnections - readers });
    this.readers = openPool({ ...options, connections: readers, statementMs: ANSWER_MS });
    this.query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.readers }) });
  }

  /** The time by the clock of the database, which all replicas share, in ms since 1970. */
  async now(): Promise<number> {
    const { rows } = await this.pool.query<{ now: string }>('SELECT now_ms() AS now');
    return Number(rows[0]!.now);
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.readers.end()]);
  }
}

/** First half of the keys of this service's advisory locks. */
const OWN = 0x666f7265;
const locks = { partitions: 2, counters: 3, records: 4 } as const;
const MIGRATIONS = {
  folder: new URL('../../sql/', import.meta.url),
  lock: [OWN, 1],
  remedy: 'Keep this database for that version, and give this release an empty one.',
} as const;

/**
 * Brings the tables to the newest version that this release knows. Throws the errors of `applyMigrations`.
 */
export async function migrate(database: Database): Promise<void> {
  await applyMigrations(database, MIGRATIONS);
}

/** Waits until no other replica is doing the same; the lock ends with the transaction. */
export async function lockForTransaction(
  client: pg.ClientBase,
  what: keyof typeof locks,
): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [OWN, locks[what]]);
}

/** Waits until no replica holds the lock alone; others may share it. It ends with the transaction. */
export async function shareLockForTransaction(
  client: pg.ClientBase,
  what: keyof typeof locks,
): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock_shared($1, $2)', [OWN, locks[what]]);
}

/**
 * Classes of SQLSTATE that say something about the data of a statement, or its size: repeating it fails
 * again.
 */
const ABOUT_DATA = /^(21|22|23|54)/;
/** No partition of the table takes the row. */
const NO_PARTITION = '23514';
/** Beyond its time limit. */
const CANCELED = '57014';

interface DatabaseError {
  readonly code?: string;
}

/** Whether the database refused the data: it would refuse them again. */
export function isAboutData(error: unknown): boolean {
  const { code } = error as DatabaseError;
  return code !== undefined && ABOUT_DATA.test(code) && code !== NO_PARTITION;
}

/** Whether a partition is missing. */
export function isWithoutPartition(error: unknown): boolean {
  return (error as DatabaseError).code === NO_PARTITION;
}

/** Whether a statement took longer than it may. */
export function isTooSlow(error: unknown): boolean {
  return (error as DatabaseError | null)?.code === CANCELED;
}
