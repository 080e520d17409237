import { describe, expect, it } from '@jest/globals';
import type { StoredEventRecord } from '@forecourt/contracts';
import type { LedgerIdentity } from '../upstreams/event-source.js';
import { ChainBroken } from '../upstreams/chain-broken.js';
import { TransactionInconvertible } from '../upstreams/transaction-inconvertible.js';
import { HistoryPruned } from '../upstreams/history-pruned.js';
import {
  CHAIN,
  createSource,
  record,
  startStream,
  stopStreamAfterEachTest,
} from './event-stream.test-support.js';

stopStreamAfterEachTest();

describe('an EventStream whose upstream cannot convert a transaction', () => {
  it('continues at another upstream without a gap', async () => {
    const stuck = createSource('a', () => ({
      records: [record(10)],
      error: new TransactionInconvertible('D11', 11, 'no objectChanges'),
    }));
    const whole = createSource('b', ({ txSeq }) => ({
      records: [10, 11, 12].filter((each) => each >= txSeq).map(record),
    }));
    const { delivered, until, stream } = startStream(stuck, whole);
    await until(() => delivered.length === 3);
    expect(delivered).toEqual([10, 11, 12]);
    expect(stream.state).toMatchObject({ connected: true, upstream: 'b', failure: null });
  });

  it('waits for its only upstream, names the reason, and leaves nothing out', async () => {
    let isRepaired = false;
    const source = createSource('a', ({ txSeq }) => {
      const error = new TransactionInconvertible('D11', 11, 'no objectChanges');
      const until = isRepaired ? 12 : 10;
      const records = [10, 11, 12].filter((each) => each >= txSeq && each <= until).map(record);
      return isRepaired ? { records } : { records, error };
    });
    const { delivered, until, stream } = startStream(source);
    await until(() => delivered.length === 1);
    while (source.connections < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(delivered).toEqual([10]);
    while (stream.state.failure === null) await new Promise((resolve) => setImmediate(resolve));
    expect(stream.state).toMatchObject({
      connected: false,
      failure: expect.stringMatching(/^Transaction D11 .*no objectChanges/),
    });
    isRepaired = true;
    await until(() => delivered.length === 3);
    expect(delivered).toEqual([10, 11, 12]);
  });
});

describe('an EventStream that reconnects', () => {
  const failing = { records: [record(10)], error: new Error('disconnected') };

  it.each<[string, LedgerIdentity, number]>([
    ['the same chain, whose genesis is pruned', { ...CHAIN, genesisTransaction: null }, 0],
    ['the same ledger in the legacy dialect', { ...CHAIN, chainIdentifier: null }, 0],
    ['another chain', { chainIdentifier: 'ffffffff', genesisTransaction: null }, 1],
    ['another ledger in the legacy dialect', { chainIdentifier: null, genesisTransaction: 'H' }, 1],
  ])(
    'ends subscriptions only if the ledger is another one: %s',
    async (_name, identity, resets) => {
      const first = createSource('a', () => failing);
      const second = createSource('b', () => ({ records: [record(11)] }), identity);
      const started = startStream(first, second);
      await started.until(() => started.delivered.includes(11));
      expect(started.resets).toHaveLength(resets);
      if (resets > 0) expect(started.resets[0]).toMatch(/different ledger/);
    },
  );

  it('does not accept a subscription until it knows where the other ledger continues', async () => {
    const other = { chainIdentifier: 'ffffffff', genesisTransaction: null };
    const newest = Promise.withResolvers<StoredEventRecord>();
    const first = createSource('a', () => failing);
    const second = createSource('b', () => ({ records: [record(51)] }), other);
    const { stream, resets, delivered, until } = startStream(first, {
      ...second,
      newest: () => newest.promise,
    });
    await until(() => resets.length > 0);
    expect([stream.recent, stream.last]).toEqual([null, null]);
    newest.resolve(record(50));
    await until(() => delivered.includes(51));
    expect(stream.recent).not.toBeNull();
  });
});

describe('an EventStream whose upstream leads to another ledger', () => {
  const other = { chainIdentifier: 'ffffffff', genesisTransaction: null };

  it('ends subscriptions although nothing arrives, and ends them again when the right one is back', async () => {
    const source = createSource('a', () => ({ records: [] }));
    const { resets, until } = startStream(source);
    for (const [index, identity] of [other, CHAIN].entries()) {
      while (source.connections <= index) await new Promise((resolve) => setImmediate(resolve));
      source.identity = identity;
      await until(() => resets.length > index);
      expect(resets[index]).toMatch(/different ledger/);
    }
  });

  it('does not begin at the end of the other one', async () => {
    const source = createSource('a', () => ({ records: [record(10)] }));
    const newest = async () => {
      // Between the two questions for the ledger, the address has led elsewhere.
      if (source.identity === CHAIN) source.identity = other;
      return record(99);
    };
    const back = { ...source, newest, ledgerIdentity: async () => source.identity };
    const { stream } = startStream(back);
    while (stream.state.failure === null) await new Promise((resolve) => setImmediate(resolve));
    expect([stream.last, stream.state.failure]).toEqual([null, expect.stringMatching(/by turns/)]);
  });

  it('continues the checkpoint of the event with which it begins', async () => {
    const source = createSource('a', () => ({ records: [record(10)] }));
    const { until, delivered } = startStream(source);
    await until(() => delivered.length > 0);
    expect(source.chains[0]).toMatchObject({ number: 9, digest: 'a9' });
  });

  it('begins anew if no upstream ever continues the events that were sent', async () => {
    const chain = { number: 1, digest: 'x', total: 2 };
    const source = createSource('a', () => {
      if (started.resets.length > 0) return { records: [record(50)] };
      throw new ChainBroken(chain, chain);
    });
    const started = startStream(source);
    await started.until(() => started.delivered.includes(50));
    expect(started.resets).toEqual([expect.stringMatching(/no ledger node continues/)]);
    expect(source.connections).toBe(6);
  });
});

describe('an EventStream whose upstreams have all pruned the next events', () => {
  it('ends subscriptions with the reason, and continues with the newest event', async () => {
    let isPruned = false;
    const deliver = () => {
      if (!isPruned) {
        isPruned = true;
        return { records: [record(10)], error: new Error('disconnected') };
      }
      if (started.resets.length > 0) return { records: [record(50)] };
      throw new HistoryPruned({ checkpoint: 40, txSeq: 40 });
    };
    const started = startStream(createSource('a', deliver), createSource('b', deliver));
    await started.until(() => started.delivered.includes(50));
    expect(started.resets).toEqual([expect.stringMatching(/pruned.*before checkpoint 40/)]);
  });
});

describe('an EventStream that stops', () => {
  it('does not delay the end of the process, although its upstream does not respond', () => {
    const { stream } = startStream({
      ...createSource('a', () => ({ records: [] })),
      ledgerIdentity: () => new Promise(() => undefined),
    });
    expect(stream.onApplicationShutdown()).toBeUndefined();
  });
});
