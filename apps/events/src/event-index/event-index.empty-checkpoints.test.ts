import { describe, expect, it } from '@jest/globals';
import type { EventCriterion, StoredEventRecord } from '@forecourt/contracts';
import { usePostgres } from '@forecourt/testing/jest';
import { SERVICE_SESSION } from '../upstreams/node-calls.js';
import type { IndexParts } from './assemble-index.js';
import { assemble, readAll, select, untilComplete, useIndexes } from './index.test-support.js';
import { TestLedger } from './test-ledger.test-support.js';
import { TestNode } from './test-node.test-support.js';
import { selectEmpty } from './store/empty-checkpoints.js';

const CHECKPOINT: EventCriterion = { key: 'EventType', value: 'Checkpoint' };
const ALL: EventCriterion = { key: 'All' };
const EVERYTHING = { limit: 1_000, descending: false };
/** Runs of one, of some, and of more than fit into a row. */
const isEmpty = (checkpoint: number) =>
  checkpoint % 10 === 3 ||
  (checkpoint > 30 && checkpoint < 60) ||
  (checkpoint > 100 && checkpoint < 900);

describe('empty checkpoints in the index', () => {
  const { started, start } = useIndexes();
  const postgres = usePostgres();
  const ledger = new TestLedger(0, 'ours', isEmpty);
  const node = new TestNode('node', ledger);
  const indexOf = (number: number) =>
    ledger.records.findIndex(({ event }) => 'checkpoint' in event && event.checkpoint === number);
  const recordOf = (number: number): StoredEventRecord => ledger.records[indexOf(number)]!;
  const open = () => assemble({ databaseUrl: postgres.url }, [node]);

  async function expectEverything(parts: IndexParts): Promise<void> {
    const within = (first: number, last: number): EventCriterion => ({
      key: 'TimeRange',
      value: { startTime: recordOf(first).timestamp, endTime: recordOf(last).timestamp },
    });
    const criteria: EventCriterion[] = [
      ALL,
      CHECKPOINT,
      { key: 'EventType', value: 'EpochChange' },
      within(500, 520),
      within(25, 950),
      within(101, 101),
      { key: 'Transaction', value: recordOf(100).txDigest },
    ];
    for (const criterion of criteria) {
      for (const descending of [false, true]) {
        for (const limit of [1_000, 37]) {
          const found = await readAll(parts, criterion, { limit, descending });
          expect(found).toEqual(select(ledger.records, criterion, descending));
        }
      }
    }
  }

  it('are written once each while writers end, and found in both directions', async () => {
    let parts = start({ databaseUrl: postgres.url }, [node]);
    for (let round = 0; round < 20; round++) {
      ledger.grow(50);
      await untilComplete(parts, ledger);
      if (round % 4 !== 3) continue;
      started.splice(started.indexOf(parts), 1);
      await parts.index.beforeApplicationShutdown();
      parts = start({ databaseUrl: postgres.url }, [node]);
    }
    await untilComplete(parts, ledger);
    await expectEverything(parts);
  });

  it('take one row for some hundreds of them', async () => {
    const { primary } = open().database;
    const { rows } = await primary.pool.query<{ rows: number; checkpoints: number }>(
      'SELECT count(*)::integer AS rows, sum(cardinality(times))::integer AS checkpoints FROM events.empty_checkpoints WHERE checkpoint > 100 AND checkpoint < 900',
    );
    await primary.close();
    expect(rows[0]).toEqual({ rows: expect.any(Number), checkpoints: 799 });
    expect(rows[0]!.rows).toBeLessThan(10);
  });

  it('are the beginning of a page, wherever in a run it is', async () => {
    const parts = open();
    for (const number of [31, 45, 59, 101, 355, 356, 357, 612, 899, 900]) {
      const position = indexOf(number);
      for (const descending of [false, true]) {
        const request = { criterion: ALL, cursor: recordOf(number).id, limit: 5, descending };
        const { data } = await parts.queries.getEvents(request, SERVICE_SESSION);
        const expected = descending
          ? ledger.records.slice(position - 4, position + 1).reverse()
          : ledger.records.slice(position, position + 5);
        expect(data).toEqual(expected);
      }
    }
    await parts.database.close();
  });

  it('are read from the database in the number that a page has', async () => {
    const { primary } = open().database;
    let read = 0;
    const counting = {
      query: async (...call: [string, unknown[]]) => {
        const { rows } = await primary.pool.query<object>(...call);
        read += rows.flatMap((row) => Object.values(row).flat() as unknown[]).length;
        return { rows };
      },
    } as unknown as Parameters<typeof selectEmpty>[0];
    const run = { from: recordOf(130).id, to: recordOf(880).id, limit: 10, times: null };
    for (const descending of [false, true]) {
      expect(await selectEmpty(counting, { ...run, descending })).toHaveLength(10);
    }
    await primary.close();
    expect(read).toBeLessThan(200);
  });

  describe('of a long past', () => {
    const other = usePostgres();
    const long = new TestLedger(0, 'ours', (number) => number % 700 > 5);

    it('are filled into holes, which begin and end among them', async () => {
      long.grow(3_500);
      const config = { databaseUrl: other.url, backfillWorkers: 3 };
      const parts = start(config, [new TestNode('node', long)]);
      await untilComplete(parts, long);
      expect(await readAll(parts, ALL, EVERYTHING)).toEqual(long.records);
    });
  });
});
