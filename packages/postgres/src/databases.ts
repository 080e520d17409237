import pg from 'pg';

/** The same server and user, another database. */
export function databaseUrl(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${encodeURIComponent(name)}` }).href;
}

/**
 * Creates a database on the server of `url`, unless it exists: an empty one, or a copy of `template`, to
 * which no client may be connected.
 */
export async function createDatabase(
  url: string,
  name: string,
  template = 'template0',
): Promise<void> {
  await withClient(url, async (client) => {
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (existing.rowCount !== 0) return;
    const [created, copied] = [name, template].map((one) => client.escapeIdentifier(one));
    await client.query(`CREATE DATABASE ${created} TEMPLATE ${copied}`);
  });
}

/**
 * Creates an empty database on the server of `url` in place of the one with this name, which no client may be
 * connected to.
 */
export async function renewDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const renewed = client.escapeIdentifier(name);
    await client.query(`DROP DATABASE IF EXISTS ${renewed}`);
    await client.query(`CREATE DATABASE ${renewed} TEMPLATE template0`);
  });
}

/** Drops a database, also one that is in use. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
  });
}

async function withClient(url: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}
