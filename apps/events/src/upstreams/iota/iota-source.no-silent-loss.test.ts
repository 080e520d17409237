import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventCriterion, readCursor, type StoredEventRecord } from '@forecourt/contracts';
import type { UpstreamFault } from '../fault-report.js';
import { TransactionInconvertible } from '../transaction-inconvertible.js';
import { nodeOptions, type StandInServer } from '../stand-in-server.test-support.js';
import { createIotaSource } from './iota-source.js';
import { positions, readPage, readPages, txSeqs } from './read-source.test-support.js';
import { digestOf, SENDER, RealisticNode } from './realistic-node.test-support.js';

const TRANSACTIONS = 120;
const BAD = 71;
const ALL: EventCriterion = { key: 'All' };

let node: RealisticNode;
let server: StandInServer;
let faults: UpstreamFault[];
beforeEach(async () => {
  node = new RealisticNode({ checkpoints: TRANSACTIONS / 2, perCheckpoint: 2 });
  server = await node.start();
  faults = [];
});
afterEach(() => server.stop());

const source = () => createIotaSource(nodeOptions(server, faults));

/** The events of a live stream from the first one on, and the error that ends it. */
async function follow(): Promise<{ records: StoredEventRecord[]; error: unknown }> {
  const records: StoredEventRecord[] = [];
  const stop = new AbortController();
  try {
    const first = { txSeq: 0, eventSeq: 0 };
    for await (const page of source().follow(first, stop.signal)) records.push(...page);
    return { records, error: null };
  } catch (error) {
    return { records, error };
  }
}

const reported = () => faults.map(({ kind, message }) => [kind, message]);
const naming = expect.stringContaining(digestOf(BAD));

/** Each row makes one transaction unreadable, for a different reason. */
const rows: [string, () => void, RegExp][] = [
  [
    'a transaction without `objectChanges`, with the reason in `errors`',
    () => node.withoutChanges.set(digestOf(BAD), true),
    /leaves out objectChanges; Failed to fetch object changes: object not found/,
  ],
  [
    'a transaction without `objectChanges` and without `errors`',
    () => node.withoutChanges.set(digestOf(BAD), false),
    /leaves out objectChanges;/,
  ],
  [
    'a transaction because of which a node refuses a whole page',
    () => node.inconvertible.add(digestOf(BAD)),
    /Failed to resolve a type layout/,
  ],
];

describe.each(rows)('%s', (_name, breakOne, reason) => {
  beforeEach(() => breakOne());

  it('ends a query after everything before it, with an error that names it', async () => {
    const { records, error } = await readPages(source(), ALL);
    expect(txSeqs(records)).toEqual(positions(0, BAD - 1));
    expect(error).toBeInstanceOf(TransactionInconvertible);
    expect(error).toMatchObject({ message: naming, data: { transaction: digestOf(BAD) } });
    expect((error as Error).message).toMatch(reason);
    expect(reported()).toContainEqual(['inconvertible', naming]);
  });

  it('causes an error that says where a query can continue, in either direction', async () => {
    const broken = source();
    for (const descending of [false, true]) {
      const { error } = await readPages(broken, ALL, { descending });
      const { newerCursor, olderCursor } = (error as TransactionInconvertible).data as {
        newerCursor: number;
        olderCursor: number;
      };
      const cursor = readCursor(descending ? olderCursor : newerCursor, 'cursor');
      const { records } = await readPages(broken, ALL, { descending, cursor });
      const rest = descending ? positions(BAD - 1, 0) : positions(BAD + 1, TRANSACTIONS - 1);
      expect(txSeqs(records)).toEqual(rest);
    }
  });

  it('fails a query that uses the node’s index as well', async () => {
    const sender = node.transactions[BAD]!.sender;
    const criterion: EventCriterion = { key: 'Sender', value: sender };
    const { records, error } = await readPages(source(), criterion);
    expect(txSeqs(records)).toEqual(positions(0, BAD - 1).filter((txSeq) => txSeq % 2 === 1));
    expect(error).toMatchObject({ message: naming });
    const others = await readPages(source(), { key: 'Sender', value: SENDER });
    expect(others.records.length).toBeGreaterThan(0);
  });

  it('ends the live stream after everything before it', async () => {
    const { records, error } = await follow();
    expect(txSeqs(records)).toEqual(positions(0, BAD - 1));
    expect(error).toMatchObject({ message: naming });
    expect(reported()).toEqual([['inconvertible', naming]]);
  });
});

describe('a transaction that a node cannot show', () => {
  it('is requested again alone, and costs the rest of its page few calls', async () => {
    node.withoutChanges.set(digestOf(BAD), true);
    const { respond } = server;
    server.respond = (call) => {
      const answer = respond(call);
      if (call.method === 'iota_multiGetTransactionBlocks') node.withoutChanges.clear();
      return answer;
    };
    const { data } = await readPage(source(), {
      key: 'TimeRange',
      value: { startTime: 0, endTime: 2e12 },
    });
    expect(txSeqs(data)).toEqual(positions(0, TRANSACTIONS - 1));
    const digests = server
      .callsOf('iota_multiGetTransactionBlocks')
      .map(({ params }) => (params[0] as string[]).length);
    expect(digests.filter((count) => count === 1).length).toBeLessThan(5);
    expect(faults).toEqual([]);
  });

  it('is found by halving the page', async () => {
    node.inconvertible.add(digestOf(TRANSACTIONS - 2));
    const { records } = await readPages(source(), ALL);
    expect(txSeqs(records)).toEqual(positions(0, TRANSACTIONS - 3));
    expect(server.callsOf('iota_multiGetTransactionBlocks').length).toBeLessThan(30);
  });
});

describe('deleted objects that are missing from `objectChanges`', () => {
  it('get their events from the effects', async () => {
    for (const { digest } of node.transactions) node.vanished.add(digest);
    const criterion: EventCriterion = { key: 'EventType', value: 'DeleteObject' };
    const { records } = await readPages(source(), criterion);
    expect(txSeqs(records)).toEqual(positions(0, TRANSACTIONS - 1));
  });
});

describe('a gap in checkpoint numbers', () => {
  it('ends a query after everything before it, with an error that names the checkpoint', async () => {
    node.skipped.add(30);
    for (const descending of [false, true]) {
      const { records, error } = await readPages(source(), ALL, { descending });
      const before = descending ? positions(TRANSACTIONS - 1, 62) : positions(0, 59);
      expect(txSeqs(records)).toEqual(before);
      expect(error).toMatchObject({ kind: 'gap' });
      expect(error).toMatchObject({ data: { checkpoint: 30, lowest: 0 } });
    }
    expect(reported()).toContainEqual(['gap', expect.stringContaining('Checkpoint 30')]);
  });

  it('ends the live stream once the node has had time to catch up', async () => {
    node.skipped.add(30);
    const { records, error } = await follow();
    expect(txSeqs(records)).toEqual(positions(0, 59));
    expect(error).toMatchObject({ data: { checkpoint: 30 } });
  });

  it('is also detected if a checkpoint is shown under the number of another', async () => {
    const { respond } = server;
    server.respond = (call) => {
      const answer = respond(call);
      if (!call.method.startsWith('iota_getCheckpoint') || !('result' in answer)) return answer;
      const shift = (one: { sequenceNumber: string }) =>
        one.sequenceNumber === '40' ? { ...one, networkTotalTransactions: '85' } : one;
      if (call.method === 'iota_getCheckpoint')
        return { result: shift(answer.result as { sequenceNumber: string }) };
      const { data, ...rest } = answer.result as { data: { sequenceNumber: string }[] };
      return { result: { ...rest, data: data.map(shift) } };
    };
    const { error } = await readPages(source(), ALL);
    expect(error).toMatchObject({ data: { checkpoint: 40 } });
  });

  it('is not assumed if the number of the newest checkpoint is not a number', async () => {
    const { respond } = server;
    server.respond = (call) =>
      call.method === 'iota_getLatestCheckpointSequenceNumber' ? { result: 'NaN' } : respond(call);
    const { error } = await readPages(source(), ALL);
    expect((error as Error).message).toMatch(/SequenceNumber: result is not a whole number/);
  });
});

describe('a node that catches up while the live stream begins', () => {
  it('leaves out nothing that it lacked at first', async () => {
    node.checkpointCount = 30;
    const { respond } = server;
    server.respond = (call) => {
      const answer = respond(call);
      if (call.method.startsWith('iota_getLatest')) node.checkpointCount = TRANSACTIONS / 2;
      return answer;
    };
    const records: StoredEventRecord[] = [];
    const next = { txSeq: 70, eventSeq: 0 };
    for await (const page of source().follow(next, new AbortController().signal)) {
      records.push(...page);
      if (records.at(-1)?.id.txSeq === TRANSACTIONS - 1) break;
    }
    expect(txSeqs(records)).toEqual(positions(70, TRANSACTIONS - 1));
  });
});
