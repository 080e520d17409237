import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { assemble, readAll, untilComplete, useIndexes } from './index.test-support.js';
import { TestLedger } from './test-ledger.test-support.js';
import { TestNode } from './test-node.test-support.js';

const ALL = { key: 'All' } as const;
const OLDEST_FIRST = { limit: 1_000, descending: false };

const { start, stopAll } = useIndexes();

describe('a read replica', () => {
  const primary = usePostgres();
  const replica = usePostgres();

  it('is read only while it has everything that a client may have seen', async () => {
    const ledger = new TestLedger();
    ledger.grow(20);
    const node = new TestNode('node', ledger);
    const stale = start({ databaseUrl: replica.url }, [node]);
    await untilComplete(stale, ledger);
    await stale.database.primary.pool.query('UPDATE events.ledger SET changes = 0');
    await stopAll();
    ledger.grow(20);
    const writer = start({ databaseUrl: primary.url }, [node]);
    await untilComplete(writer, ledger);
    // Reads go on without a replica that does not answer.
    for (const databaseReadUrl of [replica.url, 'postgres://reader@127.0.0.1:9/index']) {
      const reader = assemble({ databaseUrl: primary.url, databaseReadUrl }, []);
      expect(await readAll(reader, ALL, OLDEST_FIRST)).toEqual(ledger.records);
      expect(reader.queries.reads.totals.replica).toBe(0);
      await reader.database.close();
    }
    const reader = assemble({ databaseUrl: primary.url, databaseReadUrl: replica.url }, []);
    await untilComplete(start({ databaseUrl: replica.url }, [node]), ledger);
    await reader.database.replica!.pool.query('UPDATE events.ledger SET changes = 1000000');
    expect(await readAll(reader, ALL, OLDEST_FIRST)).toEqual(ledger.records);
    expect(reader.queries.reads.totals).toMatchObject({ primary: 0 });
    await reader.database.close();
  });
});
