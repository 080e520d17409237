import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.js';

export interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databaseConnections: number;
}

const CONNECT_MS = 5_000;
/** A new connection has to learn the partitions, which takes longer than a page. */
const IDLE_MS = 3_600_000;
/** Far above the time of any statement; one that hangs must not hold its connection forever. */
const STATEMENT_MS = 60_000;
/** A gateway waits little longer for an answer. */
export const QUESTION_MS = 12_000;
/**
 * Times have one form, whatever the server's own settings are. Statements touch many partitions, briefly: to compile them would take
 * longer than to run them.
 */
const OPTIONS = '-c timezone=UTC -c datestyle=ISO -c jit=off';

/** Times are numbers: milliseconds since 1970. Other large numbers stay text. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => Date.parse(text));

/** The connections to PostgreSQL, which are opened again after an outage. */
export class Database {
  /** For writing. */
  readonly pool: pg.Pool;
  /** For answers, which callers may make expensive: they never take the connections of writers. */
  readonly readers: pg.Pool;
  /** Statements of `readers`. */
  readonly query: Kysely<Tables>;

  /** `onError`: a connection has broken; a statement on it rejects as well. */
  constructor(
    { databaseUrl, databaseConnections }: DatabaseSettings,
    onError: (error: Error) => void = () => undefined,
  ) {
    const open = (max: number, statementMs: number) =>
      openPool(databaseUrl, max, statementMs, onError);
    const readers = Math.floor(databaseConnections / 2);
    this.pool = open(databaseConnections - readers, STATEMENT_MS);
    this.readers = open(readers, QUESTION_MS);
    this.query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.readers }) });
  }

  /** Runs statements on one connection, as a transaction that ends with `run`. Rejects with the error of the first that fails. */
  async transaction<T>(run: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await run(client);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      // The server rolls back when the connection ends, also one whose state is unknown.
      client.release(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.readers.end()]);
  }
}

function openPool(
  url: string,
  max: number,
  statementMs: number,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: statementMs,
    keepAlive: true,
    application_name: 'forecourt-history',
    options: OPTIONS,
    types,
  });
  pool.on('error', onError);
  // The pool listens only while a connection is not in use; without a listener, the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
