import { applyMigrations, PostgresDatabase } from '@forecourt/postgres/database';
import pg from 'pg';
import type { EventsConfig } from '../../config/events-config.js';

const FOLDER = new URL('../../../sql/', import.meta.url);
/** In PostgreSQL's list of sessions, before the name of the replica that writes. */
export const WRITER_PREFIX = 'writer ';
/** A page takes milliseconds; a query that takes longer must not occupy a connection. */
const QUERY_MS = 10_000;

/** Positions, checkpoints and times are integers below 2^53. Keys are larger, and are never read. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** The database of the index, and its read replica where there is one. */
export class IndexDatabase {
  readonly primary: PostgresDatabase;
  /** Null: all reads go to the primary. */
  readonly replica: PostgresDatabase | null;

  /**
   * `writerName`: that of this process. `onError`: a connection has broken; a statement on it rejects as
   * well.
   */
  constructor(
    private readonly settings: EventsConfig,
    private readonly writerName: string,
    private readonly onError?: (error: Error) => void,
  ) {
    this.primary = this.open(settings.databaseUrl);
    this.replica = settings.databaseReadUrl === '' ? null : this.open(settings.databaseReadUrl);
  }

  /** A separate connection, which the caller opens and ends. */
  createSession(queryMs: number): pg.Client {
    return new pg.Client({
      connectionString: this.settings.databaseUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: queryMs,
      keepAlive: true,
      application_name: `${WRITER_PREFIX}${this.writerName}`,
      types,
    });
  }

  async migrate(): Promise<void> {
    await applyMigrations(this.primary, {
      folder: FOLDER,
      schema: 'events',
      lock: INDEX_LOCKS.migration,
      remedy:
        'Run DROP SCHEMA events CASCADE in this database: the index is then read anew from the ledger nodes.',
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.primary.close(), this.replica?.close()]);
  }

  private open(url: string): PostgresDatabase {
    const connections = this.settings.databaseConnections;
    const application = 'forecourt-events';
    const statementMs = QUERY_MS;
    return new PostgresDatabase({
      url,
      connections,
      application,
      statementMs,
      types,
      onError: this.onError,
    });
  }
}

/** First half of the keys of the index's advisory locks. */
const OWN = 0x66657674;

type LockKey = readonly [number, number];

/** Advisory locks of the database. */
export const INDEX_LOCKS = {
  migration: [OWN, 1] as LockKey,
  partitions: [OWN, 2] as LockKey,
  /** Held by the session of the only process that writes. */
  writer: [OWN, 3] as LockKey,
};
