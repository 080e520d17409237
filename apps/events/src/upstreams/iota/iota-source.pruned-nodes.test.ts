import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  digestInBase64,
  type EventCriterion,
  type EventId,
  writeCursor,
} from '@forecourt/contracts';
import { nodeOptions, type StandInServer } from '../stand-in-server.test-support.js';
import { HistoryPruned } from '../history-pruned.js';
import { createIotaSource } from './iota-source.js';
import { positions, readPage, readPages, txSeqs } from './read-source.test-support.js';
import { digestOf, SENDER, RealisticNode } from './realistic-node.test-support.js';

const TRANSACTIONS = 200;
const PER_CHECKPOINT = 2;
const LOWEST = 23;
const EARLIEST = { checkpoint: LOWEST, txSeq: LOWEST * PER_CHECKPOINT };
const EARLIEST_ID = { txSeq: EARLIEST.txSeq, eventSeq: 0 };
const EARLIEST_CURSOR = writeCursor(EARLIEST_ID);
const TIME = 1_790_000_000_000;

let node: RealisticNode;
let server: StandInServer;
beforeEach(async () => {
  node = new RealisticNode({
    checkpoints: TRANSACTIONS / PER_CHECKPOINT,
    perCheckpoint: PER_CHECKPOINT,
    checkpointsPerEpoch: 10,
  });
  server = await node.start();
});
afterEach(() => server.stop());

const source = () => createIotaSource(nodeOptions(server));
const timeOf = (checkpoint: number) => TIME + 1_000 * checkpoint;

const below: [string, EventCriterion, EventId | null][] = [
  ['All, from the beginning', { key: 'All' }, null],
  ['All, from a cursor', { key: 'All' }, { txSeq: 3, eventSeq: 0 }],
  ['Transaction', { key: 'Transaction', value: digestInBase64(digestOf(3)) }, null],
  ['Sender', { key: 'Sender', value: SENDER }, null],
  ['EventType', { key: 'EventType', value: 'MoveEvent' }, null],
  ['TimeRange', { key: 'TimeRange', value: { startTime: timeOf(2), endTime: timeOf(50) } }, null],
  [
    'TimeRange, all pruned',
    { key: 'TimeRange', value: { startTime: timeOf(2), endTime: timeOf(9) } },
    null,
  ],
];

describe('a pruned node', () => {
  describe.each([
    ['lists checkpoints from the lowest on', true, '2025'],
    ['returns an empty first page', false, '2026'],
    ['stands behind an indexer', true, 'indexer'],
  ] as const)('that %s', (_name, startsAtLowest, version) => {
    beforeEach(() => {
      node.lowest = LOWEST;
      node.startsAtLowest = startsAtLowest;
      node.version = version;
    });

    it('is identified by its chain, and names the first checkpoint that it can serve', async () => {
      const pruned = source();
      const identity = { chainIdentifier: '35834a8a', genesisTransaction: null };
      expect(await pruned.ledgerIdentity()).toEqual(identity);
      expect(await pruned.lowestCheckpoint()).toBe(LOWEST);
      expect((await pruned.newest())?.id.txSeq).toBe(TRANSACTIONS - 1);
    });

    it('supports a live stream', async () => {
      const stop = new AbortController();
      const start = { txSeq: TRANSACTIONS - 3, eventSeq: 0 };
      const seen: number[] = [];
      for await (const page of source().follow(start, stop.signal)) {
        seen.push(...txSeqs(page));
        if (seen.includes(TRANSACTIONS - 1)) stop.abort();
      }
      expect(seen).toEqual(positions(TRANSACTIONS - 3, TRANSACTIONS - 1));
    });

    it.each(below)(
      'refuses a query that begins with pruned events (%s), and names the earliest position',
      async (_criterion, criterion, cursor) => {
        const failure = readPage(source(), criterion, { cursor });
        await expect(failure).rejects.toThrow(HistoryPruned);
        await expect(failure).rejects.toMatchObject({
          message: expect.stringMatching(`before checkpoint ${LOWEST}.*cursor ${EARLIEST_CURSOR} `),
          data: { earliest: { ...EARLIEST, cursor: EARLIEST_CURSOR } },
        });
      },
    );

    it.each<EventCriterion>([{ key: 'All' }, { key: 'Sender', value: SENDER }])(
      'answers %j from that position on, and backwards down to it',
      async (criterion) => {
        const isWanted = (txSeq: number) => criterion.key === 'All' || txSeq % 2 === 0;
        const kept = positions(EARLIEST.txSeq, TRANSACTIONS - 1).filter(isWanted);
        const upwards = await readPages(source(), criterion, {
          cursor: EARLIEST_ID,
          limit: 50,
        });
        expect(upwards.error).toBeNull();
        expect(txSeqs(upwards.records)).toEqual(kept);
        const downwards = await readPages(source(), criterion, { descending: true, limit: 50 });
        expect(txSeqs(downwards.records)).toEqual(kept.reverse());
        expect(downwards.error).toBeInstanceOf(HistoryPruned);
      },
    );

    it('answers a TimeRange within its history', async () => {
      const range = {
        key: 'TimeRange',
        value: { startTime: timeOf(30), endTime: timeOf(32) },
      } as const;
      expect(txSeqs((await readPage(source(), range)).data)).toEqual(positions(60, 65));
    });
  });

  it('reports a transaction as pruned even while its checkpoint is cached', async () => {
    const pruned = source();
    await readPage(pruned, { key: 'EventType', value: 'Checkpoint' });
    node.lowest = LOWEST;
    const cursor = { txSeq: 40, eventSeq: 0 };
    await expect(readPage(pruned, { key: 'All' }, { cursor })).rejects.toThrow(HistoryPruned);
  });
});

describe('a transaction that a node does not know', () => {
  it.each(['2025', '2026', 'indexer'] as const)(
    'has no events, with the error code of %s',
    async (version) => {
      node.version = version;
      const criterion = { key: 'Transaction', value: digestInBase64(digestOf(9_999)) } as const;
      expect(await readPage(source(), criterion)).toEqual({ data: [], nextCursor: null });
    },
  );
});
