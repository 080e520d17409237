import { openPool, PostgresDatabase } from '@forecourt/database';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.js';

export interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databaseConnections: number;
}

/** A gateway waits little longer for an answer. */
export const QUESTION_MS = 12_000;

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
    this.readers = openPool({ ...options, connections: readers, statementMs: QUESTION_MS });
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
