import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { CONFIG } from './index.test-support.js';
import { IndexDatabase } from './store/index-database.js';
import { hashKey, IndexPartitions } from './store/index-rows.js';

const MIGRATION = new URL('../../sql/004-generic-events.sql', import.meta.url);
const FULL = `0x${'a'.padStart(64, '0')}`;

describe('generic events in an index of an earlier release', () => {
  const postgres = usePostgres();
  let database: IndexDatabase;
  beforeAll(async () => {
    database = new IndexDatabase({ ...CONFIG, databaseUrl: postgres.url }, 'test');
    await database.migrate();
    await new IndexPartitions(database).ensure(0, 1);
  });
  afterAll(() => database.close());

  it('get the key of their struct, and no others do', async () => {
    const { pool } = database.primary;
    const events = [
      { moveEvent: { type: '0xA::m::S<u64>', fields: {} } },
      { moveEvent: { type: `${FULL}::m::S<0xb::n::T<u8>>`, fields: { text: '\0' } } },
      { moveEvent: { type: '0xa::m::Plain', fields: { text: '"type":"x<y"' } } },
      { transferObject: { type: '0xa::m::S<u64>' } },
    ];
    for (const [position, event] of events.entries()) {
      await pool.query('INSERT INTO events.events VALUES ($1, 1, $2, $3)', [
        position,
        Buffer.alloc(32),
        JSON.stringify(event),
      ]);
    }
    await pool.query(readFileSync(MIGRATION, 'utf8'));
    const { rows } = await pool.query(
      'SELECT key::text, position FROM events.postings ORDER BY position',
    );
    const key = hashKey(`MoveEvent ${FULL}::m::S`);
    expect(rows).toEqual([
      { key, position: 0 },
      { key, position: 1 },
    ]);
  });
});
