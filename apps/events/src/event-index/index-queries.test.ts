import { writeCursor } from '@forecourt/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@forecourt/runtime/service';
import { usePostgres, useStarted } from '@forecourt/testing/jest';
import { SERVICE_SESSION } from '../upstreams/node-calls.js';
import type { LedgerIdentity } from '../upstreams/event-source.js';
import { OtherLedgerIndexed } from '../upstreams/other-ledger-indexed.js';
import type { IndexParts } from './assemble-index.js';
import { indexIndicator } from './index-metrics.js';
import { IndexedEvents } from './indexed-events.js';
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
import { TestLedger } from './test-ledger.test-support.js';
import { TestNode } from './test-node.test-support.js';

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
      for (const index of [0, 1, 111, ledger.records.length - 1]) {
        const { id } = ledger.records[index]!;
        for (const cursor of [id, { txSeq: id.txSeq, eventSeq: 9_000 }]) {
          for (const descending of [false, true]) {
            const request = { criterion, cursor, limit: 5, descending };
            const page = await parts.queries.getEvents(request, SERVICE_SESSION);
            const isAfter = (position: number, from: number) =>
              descending ? position <= from : position >= from;
            const from = positionsOf([{ ...ledger.records[index]!, id: cursor }])[0]!;
            const expected = positionsOf(select(ledger.records, criterion, descending)).filter(
              (position) => isAfter(position, from),
            );
            expect(positionsOf(page.data)).toEqual(expected.slice(0, 5));
            expect(page.nextCursor && writeCursor(page.nextCursor)).toBe(expected[5] ?? null);
          }
        }
      }
    }
  });

  it('refuses to answer while live events come from another ledger, and shows it', async () => {
    let followed: LedgerIdentity = { chainIdentifier: 'other', genesisTransaction: null };
    const other = Object.assign(new TestNode('elsewhere', ledger), { identifier: 'other' });
    const same = Object.assign(new TestNode('same', ledger), { lag: 5 });
    const found = assemble({ databaseUrl: postgres.url }, [other, same], () => followed);
    const { queries, database, requests } = found;
    const past = new IndexedEvents(queries, createLogger('test', 'fatal'));
    const request = {
      criterion: { key: 'All' },
      cursor: null,
      limit: 1,
      descending: true,
    } as const;
    const query = () => past.query((source) => source.getEvents(request, SERVICE_SESSION));
    const mismatch = {
      code: -32_000,
      message: expect.stringMatching(
        /another ledger \(chain\) than the ledger node serves \(other\)/,
      ),
    };
    await expect(query()).rejects.toMatchObject(mismatch);
    await expect(past.requireSameLedger()).rejects.toBeInstanceOf(OtherLedgerIndexed);
    await expect(indexIndicator(found).check()).rejects.toThrow('another ledger');
    expect(await requests.read()).toMatchObject({
      other_ledger_nodes: ['elsewhere'],
      lag_checkpoints: 0,
      node_checkpoint: ledger.latest - 5,
    });
    followed = { chainIdentifier: 'chain', genesisTransaction: null };
    expect((await query()).data).toHaveLength(1);
    await past.requireSameLedger();
    expect(await indexIndicator(found).check()).toMatchObject({ lastCheckpoint: ledger.latest });
    await database.close();
  });
});
