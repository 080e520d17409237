import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

const NEVER = new AbortController().signal;

/** Runs tasks that end when they are told to, and notes the order in which they begin. */
function bench(limits: { atOnce: number; perClient: number }) {
  const queue = new FairQueue({ ...limits, restShare: 0 });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const add = (client: string, signal = NEVER) =>
    queue.run(client, signal, () => {
      begun.push(client);
      return new Promise<void>((resolve) => running.push(resolve));
    });
  const endOne = async () => {
    running.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, running, add, endOne };
}

describe('tasks of many clients', () => {
  it('take turns, however many one of them has', async () => {
    const { begun, add, endOne } = bench({ atOnce: 1, perClient: 1 });
    for (let count = 0; count < 1_000; count++) void add('greedy');
    await new Promise((resolve) => setImmediate(resolve));
    void add('a');
    void add('b');
    for (let count = 0; count < 3; count++) await endOne();
    expect(begun).toEqual(['greedy', 'greedy', 'a', 'b']);
  });

  it('leave places for others', async () => {
    const { begun, add } = bench({ atOnce: 3, perClient: 2 });
    for (let count = 0; count < 5; count++) void add('greedy');
    void add('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['greedy', 'greedy', 'a']);
  });

  it('are not begun once nobody waits for them', async () => {
    const { queue, begun, add, endOne } = bench({ atOnce: 1, perClient: 1 });
    const gone = new AbortController();
    void add('a');
    const abandoned = Promise.all([add('b', gone.signal), add('b', gone.signal)]);
    const outcome = expect(abandoned).rejects.toThrow('gone');
    gone.abort(new Error('gone'));
    await outcome;
    expect(queue.waiting).toBe(0);
    void add('c');
    await endOne();
    expect(begun).toEqual(['a', 'c']);
  });

  it('rest after each other where they are told to', async () => {
    const queue = new FairQueue({ atOnce: 1, perClient: 1, restShare: 1 });
    const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 40));
    const begin = performance.now();
    await Promise.all([queue.run('a', NEVER, sleep), queue.run('a', NEVER, async () => undefined)]);
    expect(performance.now() - begin).toBeGreaterThan(70);
  });
});
