import { readdirSync, readFileSync } from 'node:fs';
import type { PostgresDatabase } from './postgres-database.js';

/** A folder of files such as `001-records.sql`, which are applied in the order of their numbers. */
export interface MigrationFolder {
  readonly folder: URL;
  /** The schema of its tables; it is created first. Default: that of the connection. */
  readonly schema?: string;
  /** The key of the advisory lock under which replicas wait for each other. */
  readonly lock: readonly [number, number];
  /** Advice for a database whose tables other migrations have made. */
  readonly remedy: string;
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly file: string;
}

/**
 * Brings the tables to the newest version that this release knows, one migration after the other; replicas
 * wait for each other. A later release's tables stay as they are. Throws `Error` for tables that other
 * migrations have made.
 */
export async function applyMigrations(
  database: PostgresDatabase,
  migrations: MigrationFolder,
): Promise<void> {
  for (const migration of listMigrations(migrations.folder)) {
    await apply(database, migrations, migration);
  }
}

function listMigrations(folder: URL): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => {
    const name = file.replace(/^\d+-|\.sql$/g, '');
    return { version: Number.parseInt(file, 10), name, file };
  });
}

async function apply(
  database: PostgresDatabase,
  migrations: MigrationFolder,
  { version, name, file }: Migration,
): Promise<void> {
  const { folder, schema, lock, remedy } = migrations;
  const versions = schema === undefined ? 'schema_versions' : `${schema}.schema_versions`;
  await database.transaction(async (client) => {
    // The first fill of a new table may take long.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [...lock]);
    if (schema !== undefined) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${versions} (
      version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM ${versions} WHERE version = $1`,
      [version],
    );
    const applied = rows[0]?.name;
    if (applied === name) return;
    if (applied !== undefined) {
      throw new Error(
        `${versions} lists migration ${version} as ${applied}, but this release knows it as ${name}: another version has made the tables. ${remedy}`,
      );
    }
    await client.query(readFileSync(new URL(file, folder), 'utf8'));
    await client.query(`INSERT INTO ${versions} VALUES ($1, $2)`, [version, name]);
  });
}
