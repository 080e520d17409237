import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { aSponsorship, noon, openDatabase, useTables } from '../history.test-support.js';
import { type Database, migrate } from './database.js';

const JOINED = [
  'records',
  'usage',
  'webhooks',
  'latencies',
  'clock',
  'entry-numbers',
  'corrections',
  'network',
  'refused',
  'decided-transactions',
];

async function applied({ pool }: Database): Promise<readonly object[]> {
  const { rows } = await pool.query<object>('SELECT version, name FROM schema_versions ORDER BY 1');
  return rows;
}

/** As if these migrations had made the tables. */
async function pretend({ pool }: Database, names: readonly string[]): Promise<void> {
  await pool.query('DELETE FROM schema_versions');
  await pool.query(
    'INSERT INTO schema_versions (version, name) SELECT ordinality, name FROM unnest($1::text[]) WITH ORDINALITY AS given (name)',
    [names],
  );
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

describe('a database that the joined migrations have made', () => {
  it('is recognised once, and keeps its records', async () => {
    const { database } = tables;
    await tables.insert([aSponsorship(noon(1))]);
    await pretend(database, JOINED);
    for (let times = 0; times < 2; times++) {
      await migrate(database);
      expect(await applied(database)).toEqual([{ version: 1, name: 'tables' }]);
    }
    const { rows } = await database.pool.query(
      'SELECT count(*)::integer AS count FROM sponsorships',
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it.each([
    ['some of them are missing', JOINED.slice(0, 9)],
    ['another one follows', [...JOINED, 'later']],
  ])('is refused with a remedy, and left as it is, where %s', async (_case, names) => {
    const { database } = tables;
    await pretend(database, names);
    const before = await applied(database);
    await expect(migrate(database)).rejects.toThrow(
      /lists the migrations records, .*Run history of the commit before release 1\.0\.0/,
    );
    expect(await applied(database)).toEqual(before);
  });
});
