import { describe, expect, it, jest } from '@jest/globals';
import { FairQueue } from './node-calls.js';

const NEVER = new AbortController().signal;

/** Resolves when every task that can start has started. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Runs tasks until `endOne` ends them, and records the order in which they start. */
function createTestQueue(limits: { atOnce: number; perClient: number }) {
  const queue = new FairQueue({ ...limits, rest: { light: 0, heavy: 0 } });
  const started: string[] = [];
  const running: (() => void)[] = [];
  const add = (client: string, signal = NEVER) =>
    queue.run(client, signal, () => {
      started.push(client);
      return new Promise<void>((resolve) => running.push(resolve));
    });
  const endOne = async () => {
    running.shift()!();
    await settled();
  };
  return { queue, started, running, add, endOne };
}

describe('FairQueue', () => {
  it('gives clients turns, however many tasks one of them has', async () => {
    const { started, add, endOne } = createTestQueue({ atOnce: 1, perClient: 1 });
    for (let count = 0; count < 1_000; count++) void add('greedy');
    await settled();
    void add('a');
    void add('b');
    for (let count = 0; count < 3; count++) await endOne();
    expect(started).toEqual(['greedy', 'greedy', 'a', 'b']);
  });

  it('completes a client’s begun work before it begins more', async () => {
    const queue = new FairQueue({ atOnce: 1, perClient: 1, rest: { light: 0, heavy: 0 } });
    const started: string[] = [];
    const start = (name: string) => async () => void started.push(name);
    await Promise.all([
      queue.run('a', NEVER, start('page 1')),
      queue.run('a', NEVER, start('page 2')),
      queue.run('a', NEVER, start('page 1, second part'), 'first'),
      queue.run('b', NEVER, start('other client')),
    ]);
    expect(started).toEqual(['page 1', 'page 1, second part', 'other client', 'page 2']);
  });

  it('leaves slots for other clients', async () => {
    const { started, add } = createTestQueue({ atOnce: 3, perClient: 2 });
    for (let count = 0; count < 5; count++) void add('greedy');
    void add('a');
    await settled();
    expect(started).toEqual(['greedy', 'greedy', 'a']);
  });

  it('leaves the last free slot to light clients', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { started, add, endOne } = createTestQueue({ atOnce: 2, perClient: 1 });
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
    // The queue has forgotten their running time.
    jest.advanceTimersByTime(60_000);
    await endOne();
    expect(started).toEqual(['heavier']);
    jest.useRealTimers();
  });

  it('does not start a task whose client has disconnected', async () => {
    const { queue, started, add, endOne } = createTestQueue({ atOnce: 1, perClient: 1 });
    const gone = new AbortController();
    void add('a');
    const abandoned = Promise.all([add('b', gone.signal), add('b', gone.signal)]);
    const outcome = expect(abandoned).rejects.toThrow('gone');
    gone.abort(new Error('gone'));
    await outcome;
    expect(queue.waiting).toBe(0);
    void add('c');
    await endOne();
    expect(started).toEqual(['a', 'c']);
  });

  it('keeps a slot empty after a task, longer after one of a heavy client', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const queue = new FairQueue({ atOnce: 1, perClient: 1, rest: { light: 1, heavy: 3 } });
    const started: number[] = [];
    const origin = performance.now();
    const run = (milliseconds: number) =>
      queue.run('a', NEVER, () => {
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
