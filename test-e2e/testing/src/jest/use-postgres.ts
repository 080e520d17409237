import { randomBytes } from 'node:crypto';
import { createDatabase, databaseUrl, dropDatabase } from '@forecourt/postgres';
import { sharedTestServer } from '../postgres/index.js';
import { useStarted } from './use-started.js';

/** An empty database. */
export interface TestDatabase {
  readonly url: string;
}

/** A database for all tests of a file or block. The server is shared by the files that this process runs. */
export function usePostgres(): TestDatabase {
  let server: string;
  let name: string;
  return useStarted(
    async () => {
      server = await sharedTestServer();
      name = `test_${randomBytes(8).toString('hex')}`;
      await createDatabase(server, name);
      return { url: databaseUrl(server, name) };
    },
    () => dropDatabase(server, name),
  );
}
