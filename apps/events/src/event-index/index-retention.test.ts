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
import { TestLedger } from './test-ledger.test-support.js';
import { TestNode } from './test-node.test-support.js';
import { IndexPartitions } from './store/index-partitions.js';

const ALL = { key: 'All' } as const;
const OLDEST_FIRST = { limit: 1_000, descending: false };
const DAY_MS = 86_400_000;

const { start } = useIndexes();

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
