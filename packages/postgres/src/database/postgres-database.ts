import pg from 'pg';

export interface PostgresOptions {
  readonly url: string;
  /** The most connections at a time. */
  readonly connections: number;
  /** Shown by the server among its sessions. */
  readonly application: string;
  /** Settings of every session: name → value. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The longest time of a statement, in ms. */
  readonly statementMs?: number;
  readonly types?: pg.CustomTypesConfig;
  /** A connection has broken; a statement on it rejects as well. */
  readonly onError?: ((error: Error) => void) | undefined;
}

const CONNECT_MS = 5_000;
/** A new connection has to learn the partitions, which takes longer than a page. */
const IDLE_MS = 3_600_000;
/** Far above the time of any statement; one that hangs must not hold its connection forever. */
const STATEMENT_MS = 60_000;
/**
 * Times have one form, whatever the server's own settings are. Statements touch many partitions, briefly: to
 * compile them would take longer than to run them.
 */
const SETTINGS = { timezone: 'UTC', datestyle: 'ISO', jit: 'off' };

/** The connections to PostgreSQL, which are opened again after an outage. */
export class PostgresDatabase {
  readonly pool: pg.Pool;

  constructor(options: PostgresOptions) {
    this.pool = openPool(options);
  }

  /**
   * Runs statements on one connection, as a transaction that ends with `run`. Rejects with the error of the
   * first that fails.
   */
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
    await this.pool.end();
  }
}

/** Connections with a bound apart from others. */
export function openPool({ onError = () => undefined, ...options }: PostgresOptions): pg.Pool {
  const { url, connections, application, settings, statementMs = STATEMENT_MS, types } = options;
  const all = { ...SETTINGS, statement_timeout: String(statementMs), ...settings };
  // The library awaits it, although its type does not say so.
  const hooks: object = { onConnect: (client: pg.ClientBase) => setParameters(client, all) };
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: application,
    ...hooks,
    ...(types && { types }),
  });
  pool.on('error', onError);
  // The pool listens only while a connection is not in use; without a listener, the error would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Sets parameters of a session: name → value. Not when the connection begins, because poolers between it and
 * the server, such as PgBouncer, refuse parameters that they do not know.
 */
export async function setParameters(
  client: pg.ClientBase,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  const [names, values] = [Object.keys(parameters), Object.values(parameters)];
  await client.query(
    'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS one (name, value)',
    [names, values],
  );
}
