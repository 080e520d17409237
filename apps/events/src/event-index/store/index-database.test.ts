import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { assemble } from '../index.test-support.js';

const postgres = usePostgres();

describe('the tables of the index', () => {
  it('are refused with a remedy where other migrations have made them', async () => {
    const { database } = assemble({ databaseUrl: postgres.url }, []);
    const { pool } = database.primary;
    const applied = async () =>
      (await pool.query('SELECT version, name FROM events.schema_versions')).rows as unknown[];
    await database.migrate();
    await database.migrate();
    expect(await applied()).toEqual([{ version: 1, name: 'tables' }]);
    await pool.query(`UPDATE events.schema_versions SET name = 'index'`);
    await expect(database.migrate()).rejects.toThrow('Run DROP SCHEMA events CASCADE');
    expect(await applied()).toEqual([{ version: 1, name: 'index' }]);
    await database.close();
  });
});
