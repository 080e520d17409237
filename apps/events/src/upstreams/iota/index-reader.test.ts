import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canonicalAddress, type EventCriterion } from '@forecourt/contracts';
import fc from 'fast-check';
import { nodeOptions, type Response, type StandInServer } from '../stand-in-server.test-support.js';
import { createIotaSource } from './iota-source.js';
import { readPage, readPages, txSeqs } from './read-source.test-support.js';
import { digestOf, SENDER, RealisticNode } from './realistic-node.test-support.js';

const PER_CHECKPOINT = 3;
const CHECKPOINTS = 240;
const PER_EPOCH = 60;
const TRANSACTIONS = PER_CHECKPOINT * CHECKPOINTS;
const IN_EPOCH = PER_EPOCH * PER_CHECKPOINT;

const BY_SENDER: EventCriterion = { key: 'Sender', value: SENDER };
const MOVE_EVENTS: EventCriterion = { key: 'EventType', value: 'MoveEvent' };
// Two events each.
const all = Array.from({ length: TRANSACTIONS }, (_, txSeq) => txSeq);
const bySender = all.filter((txSeq) => txSeq % 2 === 0);

let node: RealisticNode;
let server: StandInServer;
beforeEach(async () => {
  node = new RealisticNode({
    checkpoints: CHECKPOINTS,
    perCheckpoint: PER_CHECKPOINT,
    checkpointsPerEpoch: PER_EPOCH,
  });
  server = await node.start();
});
afterEach(() => server.stop());

const source = () => createIotaSource(nodeOptions(server));

/** Any order that keeps the epochs apart; an epoch's last transaction executes after all its others. */
const orders = fc
  .tuple(
    ...Array.from({ length: CHECKPOINTS / PER_EPOCH }, (_, epoch) => {
      const members = all.slice(epoch * IN_EPOCH, (epoch + 1) * IN_EPOCH);
      const others = members.slice(0, -1);
      const shuffled = fc.shuffledSubarray(others, { minLength: others.length });
      return shuffled.map((order) => [...order, members.at(-1)!]);
    }),
  )
  .map((epochs) => epochs.flat());

describe('a query through the index of a node, whose order is not the ledger’s', () => {
  it('returns the same pages in any such order, in either direction and from any cursor', async () => {
    const cases = fc.record({
      order: orders,
      descending: fc.boolean(),
      from: fc.option(fc.nat(TRANSACTIONS - 1)),
      limit: fc.constantFrom(37, 1_000),
      criterion: fc.constantFrom(BY_SENDER, MOVE_EVENTS),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ order, descending, from, limit, criterion }) => {
        node.indexOrder = order;
        const inRange = (criterion === BY_SENDER ? bySender : all).filter(
          (txSeq) => from === null || (descending ? txSeq <= from : txSeq >= from),
        );
        const cursor = from === null ? null : { txSeq: from, eventSeq: 2 ** 13 };
        const exact = from === null || descending ? cursor : { txSeq: from, eventSeq: 0 };
        const { records, error } = await readPages(source(), criterion, {
          limit,
          descending,
          cursor: exact,
        });
        expect(error).toBeNull();
        expect(txSeqs(records)).toEqual(descending ? inRange.reverse() : inRange);
      }),
      { numRuns: 8 },
    );
  });

  it('does not lose an entry that a node skips after a cursor of another index', async () => {
    // The last transaction of the previous epoch belongs to another sender; the node skips the entry after
    // it.
    const cursor = { txSeq: IN_EPOCH, eventSeq: 0 };
    const { data } = await readPage(source(), BY_SENDER, { limit: 4, cursor });
    expect(txSeqs(data)).toEqual([IN_EPOCH, IN_EPOCH + 2]);
  });

  it('reads from the checkpoints the transactions that a lagging index lacks', async () => {
    node.indexOrder = node.indexOrder.slice(0, -150);
    const { records } = await readPages(source(), BY_SENDER);
    expect(txSeqs(records)).toEqual(bySender);
    const newest = await readPage(source(), BY_SENDER, { limit: 3, descending: true });
    expect(txSeqs(newest.data)).toEqual(bySender.slice(-2).reverse());
  });

  it('leaves out transactions that are not sealed yet', async () => {
    node.checkpointCount -= 30;
    const sealed = bySender.filter((txSeq) => txSeq < node.checkpointCount * PER_CHECKPOINT);
    for (const descending of [false, true]) {
      const { records, error } = await readPages(source(), BY_SENDER, { descending });
      expect(error).toBeNull();
      expect(txSeqs(records)).toEqual(descending ? sealed.toReversed() : sealed);
    }
  });

  it('fails at an entry that the node itself does not know', async () => {
    node.unknown.add(digestOf(30));
    for (const descending of [false, true]) {
      const { error } = await readPages(source(), BY_SENDER, { descending });
      expect((error as Error).message).toMatch(
        `Transaction ${digestOf(30)} cannot be converted to events: it is in the index`,
      );
    }
  });

  it('does not read the whole index for a few events of an old epoch', async () => {
    const cursor = { txSeq: IN_EPOCH + 10, eventSeq: 0 };
    const { data } = await readPage(source(), BY_SENDER, { limit: 8, cursor });
    expect(txSeqs(data)).toEqual([190, 192, 194, 196]);
    const pages = server.callsOf('iotax_queryTransactionBlocks').length;
    expect(pages).toBeLessThan(2 + (2 * IN_EPOCH) / 50);
  });
});

describe('a query for a few events', () => {
  it('reads few checkpoints and transactions', async () => {
    const { data } = await readPage(source(), BY_SENDER, { limit: 4 });
    expect(txSeqs(data)).toEqual([0, 2]);
    expect(server.callsOf('iota_getCheckpoint').length).toBeLessThan(15);
    // One for each page of the index, which is read to the end of the epoch, and one for the first batch.
    expect(server.callsOf('iota_multiGetTransactionBlocks').length).toBeLessThan(7);
  });
});

describe('a query that would read too much', () => {
  it.each<[string, EventCriterion]>([
    ['Publish', { key: 'EventType', value: 'Publish' }],
    ['NewObject', { key: 'EventType', value: 'NewObject' }],
    ['Recipient of an object', { key: 'Recipient', value: { ObjectOwner: `0x${'5'.repeat(64)}` } }],
  ])('ends in time and names the alternatives: %s', async (_name, criterion) => {
    const bounded = createIotaSource({ ...nodeOptions(server), searchMs: 0 });
    await expect(readPage(bounded, criterion)).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringMatching(/took too long.*no index.*TimeRange/),
    });
    expect(server.callsOf('iota_getCheckpoints').length).toBeLessThan(5);
  });

  it('reads the checkpoints instead if an epoch has too many entries in the index', async () => {
    await server.stop();
    node = new RealisticNode({ checkpoints: 620, perCheckpoint: 10 });
    server = await node.start();
    const cursor = { txSeq: 5_500, eventSeq: 0 };
    const { data } = await readPage(source(), MOVE_EVENTS, { limit: 5, cursor });
    expect(txSeqs(data)).toEqual([5_500, 5_501, 5_502, 5_503, 5_504]);
    expect(server.callsOf('iotax_queryEvents').length).toBeLessThan(2_500 / 50 + 5);
  });
});

describe('a query for the events of a system module', () => {
  it('includes those of transactions that call it without a command', async () => {
    const { respond } = server;
    server.respond = (call) => {
      const written = JSON.stringify(call.params);
      if (written.includes('MoveFunction')) {
        return { result: { data: [], nextCursor: null, hasNextPage: false } };
      }
      const isOfModule = written.includes('MoveModule');
      const params = isOfModule ? [{ All: [] }, ...call.params.slice(1)] : call.params;
      const answer = JSON.stringify(respond({ ...call, params }));
      return JSON.parse(answer.replaceAll('"0xabc"', '"0x3"')) as Response;
    };
    const packageId = canonicalAddress('0x3')!;
    const { records, error } = await readPages(source(), {
      key: 'MoveModule',
      value: { package: packageId, module: 'garage' },
    });
    expect(error).toBeNull();
    expect(txSeqs(records)).toEqual(all);
  });
});
