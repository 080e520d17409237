import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { assemble } from '../index.test-support.js';

const postgres = usePostgres();

describe('the tables of the index', () => {
  it('are recognised where the joined migrations have made them all, and else refused', async () => {
    const { database } = assemble({ databaseUrl: postgres.url }, []);
    const { pool } = database.primary;
    const applied = async () =>
      (await pool.query('SELECT version, name FROM events.schema_versions')).rows as unknown[];
    await database.migrate();
    const made = await applied();
    expect(made).toEqual([{ version: 1, name: 'tables' }]);
    const pretend = (rows: string) =>
      pool.query(`DELETE FROM events.schema_versions;
        INSERT INTO events.schema_versions (version, name) VALUES ${rows}`);
    await pretend(`(1, 'index'), (2, 'chain'), (3, 'empty-checkpoints'), (4, 'generic-events')`);
    await database.migrate();
    expect(await applied()).toEqual(made);
    await pretend(`(1, 'index'), (2, 'chain')`);
    await expect(database.migrate()).rejects.toThrow('Run DROP SCHEMA events CASCADE');
    expect(await applied()).toHaveLength(2);
    await database.close();
  });
});
