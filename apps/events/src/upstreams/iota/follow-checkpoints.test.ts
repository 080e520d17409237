import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventId, type StoredEventRecord, writeCursor } from '@forecourt/contracts';
import type { EventSource } from '../event-source.js';
import { CheckpointChain } from '../checkpoint-chain.js';
import { NodePause } from '../node-pause.js';
import { TransactionInconvertible } from '../transaction-inconvertible.js';
import { HistoryPruned } from '../history-pruned.js';
import { UnsupportedByUpstream } from '../unsupported-by-upstream.js';
import { createIotaSource } from './iota-source.js';
import { positions, readPages, txSeqs } from './read-source.test-support.js';
import { digestOf } from './realistic-node.test-support.js';
import { StreamingNode } from './streaming-node.test-support.js';

const CHECKPOINTS = 10;
const TRANSACTIONS = 2 * CHECKPOINTS;
const MEBIBYTE = 2 ** 20;

let node: StreamingNode;
let source: EventSource;
beforeEach(async () => {
  node = await new StreamingNode(CHECKPOINTS).start();
  source = createIotaSource(
    {
      url: node.url,
      headers: {},
      timeoutMs: 5_000,
      pause: new NodePause(),
      onFault: () => undefined,
    },
    'grpc',
  );
});
afterEach(() => node.stop());

interface Followed {
  readonly records: readonly StoredEventRecord[];
  readonly error: unknown;
}

/**
 * The events from `from` on, up to transaction `last` or the first error. `onRecord` is called with each of
 * them.
 */
async function follow(
  from: EventId,
  last = TRANSACTIONS - 1,
  onRecord: (record: StoredEventRecord) => void = () => undefined,
  chain = new CheckpointChain(null),
): Promise<Followed> {
  const stop = new AbortController();
  const records: StoredEventRecord[] = [];
  try {
    for await (const page of source.follow(from, stop.signal, chain)) {
      for (const record of page) onRecord(record);
      records.push(...page);
      // Its checkpoint ends with it.
      if (records.at(-1)?.id.txSeq === last) stop.abort();
    }
    return { records, error: null };
  } catch (error) {
    return { records, error };
  }
}

const eventIdOf = (txSeq: number, eventSeq = 0): EventId => ({ txSeq, eventSeq });

describe('the live stream over gRPC', () => {
  it('starts within a checkpoint, and continues with new ones', async () => {
    const { records, error } = await follow(eventIdOf(5, 1), 23, ({ id }) => {
      if (id.txSeq === 19 && id.eventSeq === 0) node.add(2);
    });
    expect(error).toBeNull();
    expect(records[0]!.id).toEqual(eventIdOf(5, 1));
    expect(txSeqs(records)).toEqual(positions(5, 23));
    expect(node.streamsFrom).toEqual([2]);
  });

  it('takes everything from one stream, without a call per transaction', async () => {
    await follow(eventIdOf(0));
    expect(node.calls.filter((name) => name === 'StreamCheckpoints').length).toBeLessThan(3);
    expect(node.calls).not.toContain('GetTransactions');
  });

  it('resumes after the checkpoint that it has read last', async () => {
    const chain = new CheckpointChain(null);
    const endStreams = ({ id }: StoredEventRecord) => {
      if (id.txSeq === TRANSACTIONS - 1) node.endStreams();
    };
    const { error } = await follow(eventIdOf(0), Infinity, endStreams, chain);
    expect(error).toMatchObject({ message: expect.stringContaining('shutting down') });
    node.calls.length = 0;
    node.add(1);
    const last = TRANSACTIONS + 1;
    const { records } = await follow(eventIdOf(TRANSACTIONS), last, undefined, chain);
    expect(txSeqs(records)).toEqual(positions(TRANSACTIONS, last));
    expect(node.streamsFrom).toEqual([0, CHECKPOINTS]);
    expect(node.calls).toEqual(['StreamCheckpoints']);
  });

  it('names the lowest checkpoint where the next one is pruned', async () => {
    node.lowest = 4;
    const { error } = await follow(eventIdOf(3));
    expect(error).toBeInstanceOf(HistoryPruned);
    const cursor = writeCursor(eventIdOf(8));
    expect(error).toMatchObject({
      message: expect.stringContaining('before checkpoint 4'),
      data: { earliest: { cursor, checkpoint: 4, txSeq: 8 } },
    });
  });

  it('begins no earlier than where the node still has the objects that events are derived from', async () => {
    [node.lowest, node.lowestObjects] = [2, 5];
    expect(await source.lowestCheckpoint()).toBe(5);
    const { error } = await follow(eventIdOf(7));
    expect(error).toMatchObject({ data: { earliest: { checkpoint: 5, txSeq: 10 } } });
  });

  it('names the lowest checkpoint where a node has pruned what the stream must resume with', async () => {
    const chain = new CheckpointChain(null);
    await follow(eventIdOf(0), 7, undefined, chain);
    node.lowest = 6;
    const { error } = await follow(eventIdOf(8), undefined, undefined, chain);
    expect(error).toMatchObject({ data: { earliest: { checkpoint: 6, txSeq: 12 } } });
  });

  it('ends at a gap, with an error that names it and the lowest checkpoint', async () => {
    node.lowest = 1;
    node.skipped.add(6);
    const { records, error } = await follow(eventIdOf(4));
    expect(txSeqs(records)).toEqual(positions(4, 11));
    expect(error).toMatchObject({ kind: 'gap' });
    expect(error).toMatchObject({ data: { checkpoint: 6, lowest: 1 } });
  });

  it('reads the transactions of a checkpoint that the node cannot stream, and continues after it', async () => {
    const expected = await follow(eventIdOf(0));
    for (const txSeq of [6, 14, 17]) node.sizes.set(digestOf(txSeq), 100 * MEBIBYTE);
    node.streamsFrom.length = 0;
    const { records, error } = await follow(eventIdOf(0));
    expect(error).toBeNull();
    expect(records).toEqual(expected.records);
    expect(node.streamsFrom).toEqual([0, 4, 8, 9]);
  });

  it('ends at a transaction that the node never shows, after all earlier events', async () => {
    node.sizes.set(digestOf(9), 200 * MEBIBYTE);
    const { records, error } = await follow(eventIdOf(4));
    expect(txSeqs(records)).toEqual(positions(4, 8));
    expect(error).toMatchObject({ data: { transaction: digestOf(9), txSeq: 9 } });
  });

  it('ends with the refusal if the node streams no checkpoint that is to come', async () => {
    for (let txSeq = 0; txSeq <= TRANSACTIONS; txSeq++) {
      node.sizes.set(digestOf(txSeq), 100 * MEBIBYTE);
    }
    const stop = new AbortController();
    const read = (async () => {
      for await (const page of source.follow(eventIdOf(0), stop.signal)) {
        if (page.at(-1)?.id.txSeq === TRANSACTIONS - 1) node.add(0);
      }
    })();
    await expect(read).rejects.toThrow(/exceeds max message size/);
  });

  it('ends at a transaction without an object that it wrote, after all earlier events', async () => {
    node.withoutObjects.add(digestOf(9));
    const { records, error } = await follow(eventIdOf(4));
    expect(txSeqs(records)).toEqual(positions(4, 8));
    expect(error).toBeInstanceOf(TransactionInconvertible);
    expect(error).toMatchObject({
      message: expect.stringMatching(/objectChanges: the node leaves out object 0x6+ at version 3/),
      data: { transaction: digestOf(9), txSeq: 9 },
    });
  });

  it('ends with the version of a node that does not know a field, and does not blame a transaction', async () => {
    node.unknownPath = 'output_objects.bcs';
    const { records, error } = await follow(eventIdOf(0));
    expect(records).toEqual([]);
    expect(error).not.toBeInstanceOf(UnsupportedByUpstream);
    expect(error).toMatchObject({ message: expect.stringMatching(/output_objects.*too old/) });
  });
});

describe('a query over gRPC', () => {
  it('returns the events of the stream, in both directions', async () => {
    const { records } = await follow(eventIdOf(0));
    for (const descending of [false, true]) {
      const read = await readPages(source, { key: 'All' }, { descending, limit: 7 });
      expect(read).toEqual({ error: null, records: descending ? records.toReversed() : records });
    }
  });

  it('reads a transaction that is larger than a usual message by itself', async () => {
    const { records } = await follow(eventIdOf(0));
    node.sizes.set(digestOf(9), 5 * MEBIBYTE);
    const read = await readPages(source, { key: 'All' }, { descending: false, limit: 7 });
    expect(read).toEqual({ error: null, records });
  });

  it('asks a node that does not know a field once, and does not blame a transaction', async () => {
    node.unknownPath = 'output_objects.bcs';
    const { error } = await readPages(source, { key: 'All' }, { descending: false, limit: 7 });
    expect(error).not.toBeInstanceOf(UnsupportedByUpstream);
    expect(error).toMatchObject({ message: expect.stringMatching(/output_objects.*too old/) });
    expect(node.calls.filter((name) => name === 'GetTransactions')).toHaveLength(1);
  });
});
