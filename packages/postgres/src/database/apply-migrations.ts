import { readdirSync, readFileSync } from 'node:fs';
import type { ClientBase } from 'pg';
import type { PostgresDatabase } from './postgres-database.js';

/** A folder of files such as `001-records.sql`, which are applied in the order of their numbers. */
export interface MigrationFolder {
  readonly folder: URL;
  /** The schema of its tables; it is created first. Default: that of the connection. */
  readonly schema?: string;
  /** The key of the advisory lock under which replicas wait for each other. */
  readonly lock: readonly [number, number];
  /**
   * The names of those that the first one has joined: a database in which all of them were applied has its
   * tables.
   */
  readonly joined: readonly string[];
  /** Advice for a database to which only some of them were applied. */
  readonly remedy: string;
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly file: string;
}

/**
 * Brings the tables to the newest version that this release knows, one migration after the other; replicas
 * wait for each other. A later release's tables stay as they are. Throws `Error` for a database in which the
 * joined migrations were applied in part.
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
  const { folder, schema, lock } = migrations;
  const versions = schema === undefined ? 'schema_versions' : `${schema}.schema_versions`;
  await database.transaction(async (client) => {
    // The first fill of a new table may take long.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [...lock]);
    if (schema !== undefined) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${versions} (
      version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const isJoined = await forgetJoined(client, versions, migrations);
    const done = await client.query(`SELECT 1 FROM ${versions} WHERE version = $1`, [version]);
    if (done.rowCount !== 0) return;
    if (!isJoined) await client.query(readFileSync(new URL(file, folder), 'utf8'));
    await client.query(`INSERT INTO ${versions} VALUES ($1, $2)`, [version, name]);
  });
}

/** Whether the joined migrations were applied, of which the list then has none. */
async function forgetJoined(
  client: ClientBase,
  versions: string,
  { joined, remedy }: MigrationFolder,
): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${versions} ORDER BY version`,
  );
  const applied = rows.map(({ name }) => name);
  if (applied[0] !== joined[0]) return false;
  if (applied.join() !== joined.join()) {
    throw new Error(
      `${versions} lists the migrations ${applied.join(', ')}, which are not all that release 1.0.0 has joined (${joined.join(', ')}). ${remedy}`,
    );
  }
  await client.query(`DELETE FROM ${versions}`);
  return true;
}
