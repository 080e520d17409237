import { join } from 'node:path';
import { findPostgresPrograms } from '@forecourt/postgres';
import type { SystemOptions } from '@forecourt/testing/system';
import { type LauncherConfig, loadOrCreateSecret } from './launcher-config.js';

const USES = { history: true, eventIndex: true };

/** The database of history and of the index of events: the given one, or a private PostgreSQL whose data are kept, in a folder for each release. */
export function chooseDatabase({
  databaseUrl,
  dataFolder,
}: LauncherConfig): Pick<SystemOptions, 'databaseUrl' | 'eventIndex' | 'history' | 'postgres'> {
  if (databaseUrl !== undefined) return { ...USES, databaseUrl };
  const { version } = findPostgresPrograms();
  const folder = join(dataFolder, 'postgres', String(version));
  const password = loadOrCreateSecret(join(dataFolder, 'postgres-password'));
  return { ...USES, postgres: { folder, password } };
}
