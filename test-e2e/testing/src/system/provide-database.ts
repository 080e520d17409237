import { randomBytes } from 'node:crypto';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  renewDatabase,
  startPostgresServer,
} from '@forecourt/postgres';
import { givenTestServer, startTestPostgres } from '../postgres/index.js';
import type { ProvidedDatabase } from './provided-database.js';
import type { Start } from './start.js';
import { type KeptPostgres, needsDatabase } from './system-options.js';

/**
 * The given database, one in the private PostgreSQL of a folder, one in the server of `TEST_DATABASE_URL`, or
 * one in a new PostgreSQL. Null where no service needs it.
 */
export async function provideDatabase(start: Start): Promise<ProvidedDatabase | null> {
  const { options, ports, say } = start;
  if (!needsDatabase(options)) return null;
  if (options.databaseUrl !== undefined) {
    return { url: options.databaseUrl, server: null, end: async () => undefined };
  }
  if (typeof options.postgres === 'object') {
    const port = await ports('FORECOURT_POSTGRES_PORT', 9432, 0);
    say(`PostgreSQL on port ${port}`);
    return startKept(start, { ...options.postgres, port });
  }
  return startForTest(start, options.postgres === 'new' ? undefined : givenTestServer());
}

async function startKept(
  { watchdog }: Start,
  { database, renew, ...settings }: KeptPostgres & { readonly port: number },
): Promise<ProvidedDatabase> {
  const server = await startPostgresServer({ ...settings, watchdog });
  try {
    await (renew ? renewDatabase : createDatabase)(server.url, database);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: databaseUrl(server.url, database), server, end: () => server.stop() };
}

async function startForTest(
  { watchdog }: Start,
  given: string | undefined,
): Promise<ProvidedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  if (given !== undefined) {
    await createDatabase(given, name);
    const end = () => dropDatabase(given, name);
    return { url: databaseUrl(given, name), server: null, end };
  }
  const started = await startTestPostgres({ watchdog });
  const { server } = started;
  await createDatabase(server.url, name);
  return { url: databaseUrl(server.url, name), server, end: () => started.stop() };
}
