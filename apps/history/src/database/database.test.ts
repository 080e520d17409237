import { usePostgres } from '@forecourt/testing/jest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openDatabase } from '../history.test-support.js';
import type { Database } from './database.js';

const postgres = usePostgres();
let database: Database;
beforeAll(async () => {
  const before = openDatabase(postgres.url);
  const name = new URL(postgres.url).pathname.slice(1);
  for (const setting of [`datestyle = 'SQL, DMY'`, `timezone = 'Asia/Kolkata'`]) {
    await before.pool.query(`ALTER DATABASE ${name} SET ${setting}`);
  }
  await before.close();
  database = openDatabase(postgres.url);
});
afterAll(() => database.close());

describe('connections to the database', () => {
  it('read times as they are, whatever settings the server has', async () => {
    const { rows } = await database.pool.query('SELECT to_timestamp(1764112841.123) AS at');
    expect(rows).toEqual([{ at: 1_764_112_841_123 }]);
  });

  it('are left to writers while queries are slow', async () => {
    const writer = await database.pool.connect();
    await writer.query('SELECT pg_advisory_lock(7)');
    const slow = Array.from({ length: 8 }, () =>
      sql`SELECT pg_advisory_xact_lock(7)`.execute(database.query),
    );
    await database.pool.query('SELECT 1');
    await writer.query('SELECT pg_advisory_unlock(7)');
    writer.release();
    await Promise.all(slow);
  });

  it.each([
    ['queries', 'readers', '12s'],
    ['writers', 'pool', '1min'],
  ] as const)('end statements of %s that hang', async (_name, pool, expected) => {
    const { rows } = await database[pool].query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: expected }]);
  });
});
