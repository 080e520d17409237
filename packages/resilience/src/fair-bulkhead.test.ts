import { describe, expect, it, jest } from '@jest/globals';
import { FairBulkhead } from './fair-bulkhead.js';
import { NoPlace } from './no-place.js';

const PLACES = 8;

/** A bulkhead whose calls end when they are ended, in the order of their start. */
function aBulkhead() {
  const bulkhead = new FairBulkhead(PLACES);
  const running: { by: string[]; end: () => void }[] = [];
  const refused: string[] = [];
  const start = (by: string[], count: number) => {
    for (let i = 0; i < count; i++) {
      const call = () => new Promise<void>((resolve) => running.push({ by, end: resolve }));
      bulkhead.run(by, call).catch((error: unknown) => {
        if (!(error instanceof NoPlace)) throw error;
        refused.push(by.at(-1)!);
      });
    }
  };
  const runningOf = (name: string) => running.filter(({ by }) => by.at(-1) === name).length;
  return { bulkhead, start, running, runningOf, refused };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('places for calls', () => {
  it('leave half of what is free to others, so that each newcomer finds one', async () => {
    const { start, runningOf, refused } = aBulkhead();
    start(['greedy'], 100);
    start(['second'], 100);
    start(['late'], 1);
    await settled();
    expect([runningOf('greedy'), runningOf('second'), runningOf('late')]).toEqual([4, 2, 1]);
    // As many wait as are in progress.
    expect(refused.filter((name) => name === 'greedy')).toHaveLength(100 - 4 - 4);
    expect(refused).not.toContain('late');
  });

  it('leave half of a token’s share to its other users', async () => {
    const { bulkhead, start, runningOf } = aBulkhead();
    start(['shop', 'shop:a'], 100);
    start(['shop', 'shop:b'], 100);
    await settled();
    expect([runningOf('shop:a'), runningOf('shop:b')]).toEqual([2, 1]);
    expect(bulkhead.hasRoom(['shop', 'shop:c'])).toBe(true);
    expect(bulkhead.hasRoom(['shop', 'shop:a'])).toBe(false);
  });

  it('go to those who wait, in the order of their arrival, as far as their share reaches', async () => {
    const { start, running, runningOf } = aBulkhead();
    start(['greedy'], 6);
    start(['second'], 3);
    await settled();
    expect([runningOf('greedy'), runningOf('second')]).toEqual([4, 2]);
    running.find(({ by }) => by[0] === 'second')!.end();
    await settled();
    expect([runningOf('greedy'), runningOf('second')]).toEqual([4, 3]);
    for (const { end } of running) end();
    await settled();
    expect([runningOf('greedy'), runningOf('second')]).toEqual([6, 3]);
  });

  it('are given back by calls that fail', async () => {
    const bulkhead = new FairBulkhead(1);
    const fail = () => Promise.reject(new Error('a failure'));
    for (let i = 0; i < 3; i++) {
      await expect(bulkhead.run(['shop'], fail)).rejects.toThrow('a failure');
    }
    expect(await bulkhead.run(['shop'], async () => 'called')).toBe('called');
  });

  it('are refused to calls that waited for too long, which then wait no longer', async () => {
    const { bulkhead, start, running } = aBulkhead();
    start([], PLACES);
    await expect(bulkhead.run([], async () => 'called', { waitMs: 1 })).rejects.toThrow(NoPlace);
    expect(bulkhead.running).toBe(PLACES);
    const patient = bulkhead.run([], async () => 'called', { waitMs: 60_000 });
    running[0]!.end();
    expect(await patient).toBe('called');
    expect(bulkhead.running).toBe(PLACES - 1);
  });

  it('are all free to calls without a client, which wait in the order of their arrival', async () => {
    const bulkhead = new FairBulkhead(2, { waiting: Infinity });
    const order: number[] = [];
    const calls = Array.from({ length: 1_000 }, (_, index) =>
      bulkhead.run([], async () => void order.push(index)),
    );
    expect(bulkhead.running).toBe(2);
    await Promise.all(calls);
    expect(order).toEqual([...order.keys()]);
    expect(bulkhead.running).toBe(0);
  });
});

/** A queue whose calls run until `endOne` ends them, and the clients in the order of their starts. */
function aQueue(places: number, perClient: number) {
  const rest = { light: 0, heavy: 0 };
  const queue = new FairBulkhead(places, { share: 1, waiting: Infinity, perClient, rest });
  const started: string[] = [];
  const running: (() => void)[] = [];
  const add = (client: string, signal?: AbortSignal) => {
    const call = () => {
      started.push(client);
      return new Promise<void>((resolve) => running.push(resolve));
    };
    return queue.run([client], call, signal ? { signal } : {});
  };
  const endOne = async () => {
    running.shift()!();
    await settled();
  };
  return { queue, started, add, endOne };
}

describe('calls that wait', () => {
  it('take turns with those of other clients, however many one of them has', async () => {
    const { started, add, endOne } = aQueue(1, 1);
    for (let count = 0; count < 1_000; count++) void add('greedy');
    void add('a');
    void add('b');
    await settled();
    for (let count = 0; count < 3; count++) await endOne();
    expect(started).toEqual(['greedy', 'greedy', 'a', 'b']);
  });

  it('continue what their client has begun before they begin more', async () => {
    const queue = new FairBulkhead(1, { waiting: Infinity });
    const started: string[] = [];
    const start = (name: string) => async () => void started.push(name);
    await Promise.all([
      queue.run(['a'], start('page 1')),
      queue.run(['a'], start('page 2')),
      queue.run(['a'], start('page 1, second part'), { isNext: true }),
      queue.run(['b'], start('other client')),
    ]);
    expect(started).toEqual(['page 1', 'page 1, second part', 'other client', 'page 2']);
  });

  it('leave places beyond the number of their client to others', async () => {
    const { started, add } = aQueue(3, 2);
    for (let count = 0; count < 5; count++) void add('greedy');
    void add('a');
    await settled();
    expect(started).toEqual(['greedy', 'greedy', 'a']);
  });

  it('do not start once their client has left', async () => {
    const { queue, started, add, endOne } = aQueue(1, 1);
    const gone = new AbortController();
    void add('a');
    const abandoned = Promise.all([add('b', gone.signal), add('b', gone.signal)]);
    const outcome = expect(abandoned).rejects.toThrow('gone');
    gone.abort(new Error('gone'));
    await outcome;
    await expect(add('b', gone.signal)).rejects.toThrow('gone');
    expect(queue.waiting).toBe(0);
    void add('c');
    await endOne();
    expect(started).toEqual(['a', 'c']);
  });
});

describe('a bulkhead with rests', () => {
  it('leaves the last free place to light clients', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { started, add, endOne } = aQueue(2, 1);
    for (let count = 0; count < 3; count++) {
      void add('heavy');
      void add('heavier');
    }
    await settled();
    expect(started.splice(0)).toEqual(['heavy', 'heavier']);
    jest.advanceTimersByTime(500);
    await endOne();
    await endOne();
    expect(started.splice(0)).toEqual(['heavy']);
    void add('light');
    await settled();
    expect(started.splice(0)).toEqual(['light']);
    // The bulkhead has forgotten their running time.
    jest.advanceTimersByTime(60_000);
    await endOne();
    expect(started).toEqual(['heavier']);
    jest.useRealTimers();
  });

  it('keeps a place empty after a call, longer after one of a heavy client', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const queue = new FairBulkhead(1, { waiting: Infinity, rest: { light: 1, heavy: 3 } });
    const started: number[] = [];
    const origin = performance.now();
    const run = (milliseconds: number) =>
      queue.run(['a'], () => {
        started.push(performance.now() - origin);
        return new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
      });
    for (const milliseconds of [40, 500, 1]) void run(milliseconds);
    await settled();
    for (let step = 0; step < 250; step++) {
      jest.advanceTimersByTime(10);
      await settled();
    }
    jest.useRealTimers();
    expect(started).toEqual([0, 80, 2_080]);
  });
});
