import { beforeAll, describe, expect, it } from '@jest/globals';
import { usePostgres, useStarted } from '@forecourt/testing/jest';
import { SERVICE_SESSION } from '../upstreams/node-calls.js';
import type { IndexParts } from './assemble-index.js';
import {
  assemble,
  criteriaOf,
  positionsOf,
  readAll,
  readRecords,
  select,
  startIndex,
  untilComplete,
} from './index.test-support.js';
import { TestLedger, TestNode } from './ledger.test-support.js';

const postgres = usePostgres();
/** The ledger crosses the border of two partitions. */
const ledger = new TestLedger(0);
const TEXTS = ['', 'a\u0000b', '\\N\t\n\r\\', '"\u2028é𝄞\ud800', 'x'.repeat(5_000)];
ledger.grow(40, TEXTS);
ledger.jumpTo(2 ** 20 - 40);
ledger.grow(60, TEXTS);
ledger.jumpTo(9 * 2 ** 20);
ledger.grow(20, TEXTS);

const parts = useStarted<IndexParts>(
  async () => startIndex({ databaseUrl: postgres.url }, [new TestNode('node', ledger)]),
  ({ index }) => index.beforeApplicationShutdown(),
);
beforeAll(() => untilComplete(parts, ledger));

describe('the index of events', () => {
  it('holds every event once, exactly as the node delivers it', async () => {
    expect(await readRecords(parts)).toEqual(ledger.records);
  });

  it.each(criteriaOf(ledger).map((criterion) => [JSON.stringify(criterion), criterion] as const))(
    'returns the events by %s in both orders and with any page size',
    async (_name, criterion) => {
      for (const descending of [false, true]) {
        const expected = select(ledger.records, criterion, descending);
        for (const limit of [9, 1_000]) {
          const found = await readAll(parts, criterion, { limit, descending });
          expect(found).toEqual(expected);
        }
      }
    },
  );

  it('begins a page at any cursor, also between events', async () => {
    for (const criterion of criteriaOf(ledger)) {
      for (const at of [0, 1, 111, ledger.records.length - 1]) {
        const { id } = ledger.records[at]!;
        for (const cursor of [id, { txSeq: id.txSeq, eventSeq: 9_000 }]) {
          for (const descending of [false, true]) {
            const request = { criterion, cursor, limit: 5, descending };
            const page = await parts.queries.getEvents(request, SERVICE_SESSION);
            const isAfter = (position: number, from: number) =>
              descending ? position <= from : position >= from;
            const from = positionsOf([{ ...ledger.records[at]!, id: cursor }])[0]!;
            const expected = positionsOf(select(ledger.records, criterion, descending)).filter(
              (position) => isAfter(position, from),
            );
            expect(positionsOf(page.data)).toEqual(expected.slice(0, 5));
            expect(page.nextCursor).toBe(expected[5] ?? null);
          }
        }
      }
    }
  });

  it('refuses to answer while live events come from another ledger', async () => {
    const other = { chainIdentifier: 'other', genesisTransaction: null };
    const { queries, database } = assemble({ databaseUrl: postgres.url }, [], () => other);
    const request = {
      criterion: { key: 'All' },
      cursor: null,
      limit: 1,
      descending: true,
    } as const;
    await expect(queries.getEvents(request, SERVICE_SESSION)).rejects.toThrow('another ledger');
    await database.close();
  });
});
