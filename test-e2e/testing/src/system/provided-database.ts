import type { PostgresServer } from '@forecourt/postgres';

/** The database of history. */
export interface ProvidedDatabase {
  readonly url: string;
  /** The server, if it was started for this system. */
  readonly server: PostgresServer | null;
  /** Ends the server, or drops the database of a test. */
  readonly end: () => Promise<void>;
}
