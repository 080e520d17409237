import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { aSponsorship, noon, openDatabase, useTables } from '../history.test-support.js';
import { type Database, migrate } from './database.js';

async function applied({ pool }: Database): Promise<readonly object[]> {
  const { rows } = await pool.query<object>('SELECT version, name FROM schema_versions ORDER BY 1');
  return rows;
}

const empty = usePostgres();

describe('migrations', () => {
  it('are applied once, whichever replicas begin with them', async () => {
    const replicas = [1, 2, 3].map(() => openDatabase(empty.url));
    await Promise.all(replicas.map((replica) => migrate(replica)));
    await migrate(replicas[0]!);
    expect(await applied(replicas[0]!)).toEqual([{ version: 1, name: 'tables' }]);
    await Promise.all(replicas.map((replica) => replica.close()));
  });
});

const tables = useTables();

describe('a database whose tables other migrations have made', () => {
  it.each([
    ['one', `(1, 'records')`],
    ['several', `(1, 'records'), (2, 'usage'), (3, 'webhooks')`],
  ])('is refused with a remedy, and left as it is: %s', async (_count, rows) => {
    const { database } = tables;
    await tables.insert([aSponsorship(noon(1))]);
    await database.pool.query(
      `DELETE FROM schema_versions; INSERT INTO schema_versions (version, name) VALUES ${rows}`,
    );
    const before = await applied(database);
    await expect(migrate(database)).rejects.toThrow(
      /lists migration 1 as records, but this release knows it as tables.*give this release an empty one/,
    );
    expect(await applied(database)).toEqual(before);
  });
});
