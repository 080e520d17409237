import { join } from 'node:path';
import { findPostgresPrograms } from '@forecourt/postgres';
import type { SystemOptions } from '@forecourt/testing/system';
import { type LauncherConfig, loadOrCreateSecret } from './launcher-config.js';

/** The database of history: the given one, or a private PostgreSQL whose data are kept, in a folder for each release. */
export function chooseDatabase({
  databaseUrl,
  dataFolder,
}: LauncherConfig): Pick<SystemOptions, 'databaseUrl' | 'history' | 'postgres'> {
  if (databaseUrl !== undefined) return { history: true, databaseUrl };
  const { version } = findPostgresPrograms();
  const folder = join(dataFolder, 'postgres', String(version));
  const password = loadOrCreateSecret(join(dataFolder, 'postgres-password'));
  return { history: true, postgres: { folder, password } };
}
