import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import {
  assemble,
  positionsOf,
  readAll,
  readRecords,
  untilComplete,
  useIndexes,
} from './index.test-support.js';
import { TestLedger, TestNode } from './ledger.test-support.js';
import { IndexPartitions } from './store/index-rows.js';

const ALL = { key: 'All' } as const;
const OLDEST_FIRST = { limit: 1_000, descending: false };
const DAY_MS = 86_400_000;

const { start, stopAll } = useIndexes();

describe('retention', () => {
  const postgres = usePostgres();

  it('removes whole partitions, and only after readers have learnt of it', async () => {
    const ledger = new TestLedger();
    ledger.grow(40);
    ledger.jumpTo(2 ** 20);
    ledger.grow(40);
    ledger.jumpTo(2 ** 21);
    ledger.grow(20);
    const parts = start({ databaseUrl: postgres.url }, [new TestNode('node', ledger)]);
    await untilComplete(parts, ledger);
    const kept = assemble({ databaseUrl: postgres.url, retentionDays: 3 }, []);
    const { pool } = kept.database.primary;
    const middle = ledger.records.find(({ id }) => id.txSeq === ledger.starts[75]!)!;
    const now = middle.timestamp + 3 * DAY_MS;
    // The index may begin earlier again while its oldest partition is about to be dropped.
    await new IndexPartitions(kept.database).drop(0);
    const partitions = async () => {
      const { rows } = await pool.query(
        `SELECT relid::text AS name FROM pg_partition_tree('events.events') WHERE level = 1 ORDER BY 1`,
      );
      return rows.map(({ name }: { name: string }) => name);
    };

    await kept.retention.run(now);
    expect(await partitions()).toHaveLength(3);
    await expect(readAll(parts, ALL, OLDEST_FIRST)).rejects.toMatchObject({
      kind: 'pruned',
      data: { earliest: { checkpoint: 41, txSeq: ledger.starts[41] } },
    });
    await kept.retention.run(now);
    expect(await partitions()).toHaveLength(3);

    await pool.query(`UPDATE events.ledger SET first_raised_at = now() - interval '3 minutes'`);
    await kept.retention.run(now);
    expect(await partitions()).toEqual(['events.events_1', 'events.events_2']);
    const rest = ledger.records.filter(({ id }) => id.txSeq >= 2 ** 20);
    expect(positionsOf(await readRecords(parts))).toEqual(positionsOf(rest));
    ledger.grow(5);
    await untilComplete(parts, ledger);
    await kept.database.close();
  });
});

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
    // A replica that does not answer is not an obstacle.
    for (const databaseReadUrl of [replica.url, 'postgres://nobody@127.0.0.1:9/none']) {
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
