import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from './database.js';
import { lockForTransaction } from './locks.js';

const SQL = new URL('../../sql/', import.meta.url);

interface Migration {
  readonly version: number;
  readonly file: string;
}

/**
 * Brings the tables to the newest version that this release knows, one migration after the other; replicas wait for each other. A
 * later release's tables stay as they are. `last`: the migration to end with.
 */
export async function migrate(database: Database, last = Infinity): Promise<void> {
  for (const migration of listMigrations()) {
    if (migration.version <= last) await apply(database, migration);
  }
}

function listMigrations(): Migration[] {
  const files = readdirSync(SQL).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => ({ version: Number.parseInt(file, 10), file }));
}

async function apply(database: Database, { version, file }: Migration): Promise<void> {
  await database.transaction(async (client) => {
    // The first fill of a new table may take long.
    await client.query('SET LOCAL statement_timeout = 0');
    await lockForTransaction(client, 'migration');
    await client.query(`CREATE TABLE IF NOT EXISTS schema_versions (
      version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const done = await client.query('SELECT 1 FROM schema_versions WHERE version = $1', [version]);
    if (done.rowCount !== 0) return;
    await client.query(readFileSync(new URL(file, SQL), 'utf8'));
    const name = file.replace(/^\d+-|\.sql$/g, '');
    await client.query('INSERT INTO schema_versions VALUES ($1, $2)', [version, name]);
  });
}
