import { applyMigrations } from '@forecourt/database';
import type { Database } from './database.js';
import { MIGRATION_LOCK } from './locks.js';

const FOLDER = new URL('../../sql/', import.meta.url);

/** Brings the tables to the newest version that this release knows. `last`: the migration to end with. */
export async function migrate(database: Database, last?: number): Promise<void> {
  await applyMigrations(database, { folder: FOLDER, lock: MIGRATION_LOCK }, last);
}
