import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventCriterion, EventId, StoredEventRecord } from '@forecourt/contracts';
import { nodeOptions, type StandInServer } from '../stand-in-server.test-support.js';
import { createIotaSource } from './iota-source.js';
import { readPage, readPages } from './read-source.test-support.js';
import { RealisticNode } from './realistic-node.test-support.js';

const CHECKPOINTS = 400;
/** All others are empty. */
const FILLED = [0, 1, 4, 9, 310, 311, 390];
const CHECKPOINT: EventCriterion = { key: 'EventType', value: 'Checkpoint' };
const ALL: EventCriterion = { key: 'All' };

let node: RealisticNode;
let server: StandInServer;
beforeEach(async () => {
  const isEmpty = (checkpoint: number) => !FILLED.includes(checkpoint);
  node = new RealisticNode({ checkpoints: CHECKPOINTS, perCheckpoint: 2, isEmpty });
  server = await node.start();
});
afterEach(() => server.stop());

const source = () => createIotaSource(nodeOptions(server));

/** The id of a checkpoint's event, from the rule alone. */
function idOf(checkpoint: number, ends: ReadonlyMap<number, EventId>): EventId {
  const filled = FILLED.findLast((one) => one <= checkpoint)!;
  const { txSeq, eventSeq } = ends.get(filled)!;
  return { txSeq, eventSeq: eventSeq + checkpoint - filled };
}

const numberOf = ({ event }: StoredEventRecord) =>
  'checkpoint' in event ? event.checkpoint : null;
const numbers = Array.from({ length: CHECKPOINTS }, (_, number) => number);

describe('checkpoints without transactions', () => {
  it('have one event each, with the id that follows from the last transaction before them', async () => {
    const { records, error } = await readPages(source(), CHECKPOINT);
    expect(error).toBeNull();
    expect(records.map(numberOf)).toEqual(numbers);
    const ends = new Map(
      FILLED.map((filled, index) => [filled, { txSeq: 2 * index + 1, eventSeq: 2 }] as const),
    );
    expect(records.map(({ id }) => id)).toEqual(numbers.map((number) => idOf(number, ends)));
    const digests = new Map(records.map((record) => [record.id.txSeq, record.txDigest]));
    for (const { id, txDigest } of records) expect(txDigest).toBe(digests.get(id.txSeq));
    expect(new Set(records.map(({ timestamp }) => timestamp)).size).toBe(CHECKPOINTS);
  });

  it.each([
    ['All', ALL],
    ['EventType Checkpoint', CHECKPOINT],
  ])('are paged through by %s in both directions, from any of them', async (_name, criterion) => {
    const everything = (await readPages(source(), criterion)).records;
    const idAt = (index: number) => everything[index]!.id;
    const shared = source();
    for (const descending of [false, true]) {
      const expected = descending ? everything.toReversed() : everything;
      const { records } = await readPages(shared, criterion, { limit: 7, descending });
      expect(records).toEqual(expected);
      for (let index = 3; index < everything.length; index += 37) {
        const { data } = await readPage(source(), criterion, {
          cursor: idAt(index),
          limit: 5,
          descending,
        });
        const from = expected.findIndex(({ id }) => id === idAt(index));
        expect(data).toEqual(expected.slice(from, from + 5));
      }
    }
  });

  it('are found by their own time', async () => {
    const [first] = (await readPages(source(), CHECKPOINT)).records;
    const [startTime, endTime] = [100, 103].map((number) => first!.timestamp + 1_000 * number);
    const value = { startTime: startTime!, endTime: endTime! };
    const { records } = await readPages(source(), { key: 'TimeRange', value });
    expect(records.map(numberOf)).toEqual([100, 101, 102, 103]);
  });

  it('are, as every checkpoint, no events of the transaction before them', async () => {
    const [record] = (await readPages(source(), CHECKPOINT)).records;
    const value = record!.txDigest;
    const page = await readPage(source(), { key: 'Transaction', value }, { limit: 100 });
    expect(page.data.map(numberOf)).toEqual(page.data.map(() => null));
    expect(page.nextCursor).toBeNull();
  });

  it('are the newest event, and followed from within', async () => {
    const everything = (await readPages(source(), ALL)).records;
    expect(await source().newest()).toEqual(everything.at(-1));
    const stop = new AbortController();
    const from = everything.at(-5)!.id;
    const found: StoredEventRecord[] = [];
    for await (const page of source().follow(from, stop.signal)) {
      found.push(...page);
      if (found.length >= 5) stop.abort();
    }
    expect(found).toEqual(everything.slice(-5));
  });

  it('are known while the node has pruned the checkpoints before them, up to its beginning', async () => {
    const everything = (await readPages(source(), CHECKPOINT)).records;
    node.lowest = 310;
    const { records } = await readPages(source(), CHECKPOINT, { descending: true });
    expect(records).toEqual(everything.slice(310).toReversed());
  });
});
