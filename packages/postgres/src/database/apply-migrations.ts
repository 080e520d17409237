import { readdirSync, readFileSync } from 'node:fs';
import type { PostgresDatabase } from './postgres-database.js';

/** A folder of files such as `001-records.sql`, which are applied in the order of their numbers. */
export interface MigrationFolder {
  readonly folder: URL;
  /** The schema of its tables; it is created first. Default: that of the connection. */
  readonly schema?: string;
  /** The key of the advisory lock under which replicas wait for each other. */
  readonly lock: readonly [number, number];
}

interface Migration {
  readonly version: number;
  readonly file: string;
}

/**
 * Brings the tables to the newest version that this release knows, one migration after the other; replicas wait for each other. A
 * later release's tables stay as they are. `last`: the migration to end with.
 */
export async function applyMigrations(
  database: PostgresDatabase,
  migrations: MigrationFolder,
  last = Infinity,
): Promise<void> {
  for (const migration of listMigrations(migrations.folder)) {
    if (migration.version <= last) await apply(database, migrations, migration);
  }
}

function listMigrations(folder: URL): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => ({ version: Number.parseInt(file, 10), file }));
}

async function apply(
  database: PostgresDatabase,
  { folder, schema, lock }: MigrationFolder,
  { version, file }: Migration,
): Promise<void> {
  const versions = schema === undefined ? 'schema_versions' : `${schema}.schema_versions`;
  await database.transaction(async (client) => {
    // The first fill of a new table may take long.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [...lock]);
    if (schema !== undefined) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${versions} (
      version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const done = await client.query(`SELECT 1 FROM ${versions} WHERE version = $1`, [version]);
    if (done.rowCount !== 0) return;
    await client.query(readFileSync(new URL(file, folder), 'utf8'));
    const name = file.replace(/^\d+-|\.sql$/g, '');
    await client.query(`INSERT INTO ${versions} VALUES ($1, $2)`, [version, name]);
  });
}
