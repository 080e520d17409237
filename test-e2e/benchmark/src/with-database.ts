import { createDatabase, databaseUrl } from '@forecourt/postgres';
import { startTestPostgres } from '@forecourt/testing/postgres';

/** As on a small server. */
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '15min' };

/**
 * Calls `use` with the URL of an empty database of this name, in a private PostgreSQL that is removed
 * afterwards.
 */
export async function withDatabase<T>(name: string, use: (url: string) => Promise<T>): Promise<T> {
  const postgres = await startTestPostgres({ isDurable: true, settings: SETTINGS });
  try {
    await createDatabase(postgres.server.url, name);
    return await use(databaseUrl(postgres.server.url, name));
  } finally {
    await postgres.stop();
  }
}
