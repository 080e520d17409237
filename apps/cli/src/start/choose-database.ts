import { join } from 'node:path';
import type { Ledger } from '@forecourt/ledger';
import { databaseUrl as urlOf, findPostgresPrograms, renewDatabase } from '@forecourt/postgres';
import type { SystemOptions } from '@forecourt/testing/system';
import { type StartConfig, loadOrCreateSecret } from './start-config.js';

const USES = { history: true, eventIndex: true };

/**
 * The database of history and of the index of events, which belongs to one network: that of the local ledger
 * is new at each start, as the ledger is. It is in a private PostgreSQL, whose data are kept in a folder for
 * each release, or in the given one. Throws `Error`.
 */
export async function chooseDatabase(
  { databaseUrl, dataFolder }: Pick<StartConfig, 'databaseUrl' | 'dataFolder'>,
  ledger: Pick<Ledger, 'chainIdentifier'> | undefined,
): Promise<Pick<SystemOptions, 'databaseUrl' | 'eventIndex' | 'history' | 'postgres'>> {
  if (databaseUrl !== undefined) {
    return { ...USES, databaseUrl: ledger ? databaseUrl : await renewBeside(databaseUrl) };
  }
  const { version } = findPostgresPrograms();
  const folder = join(dataFolder, 'postgres', String(version));
  const password = loadOrCreateSecret(join(dataFolder, 'postgres-password'));
  const network = (await ledger?.chainIdentifier()) ?? 'local';
  const database = `forecourt_${network}`;
  return { ...USES, postgres: { folder, password, database, renew: ledger === undefined } };
}

/** Creates the database of the local ledger beside the given one, in which another network's data may be. */
async function renewBeside(given: string): Promise<string> {
  try {
    const { pathname, username } = new URL(given);
    // Too long a name is cut at its end, and must not become that of the given database.
    const name = `local_ledger_of_${decodeURIComponent(pathname.slice(1) || username)}`;
    await renewDatabase(given, name);
    return urlOf(given, name);
  } catch (cause) {
    throw new Error(
      'The database of the local ledger, which is new at each start, cannot be created beside that of DATABASE_URL. Give its ' +
        'user the right CREATEDB, unset DATABASE_URL to have a private PostgreSQL, or set LEDGER_URL.',
      { cause },
    );
  }
}
