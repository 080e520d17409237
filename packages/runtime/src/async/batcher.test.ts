import { describe, expect, it, jest } from '@jest/globals';
import { Batcher } from './batcher.js';

describe('a batcher', () => {
  it('sends concurrent requests together, in order, in batches of at most its limit', async () => {
    const sizes: number[] = [];
    const batcher = new Batcher(async (requests: readonly number[]) => {
      sizes.push(requests.length);
      return requests.map((request) => request * 2);
    }, 3);
    const replies = await Promise.all([1, 2, 3, 4, 5].map((request) => batcher.add(request)));
    expect(replies).toEqual([2, 4, 6, 8, 10]);
    expect(sizes).toEqual([3, 2]);
    expect(await batcher.add(6)).toBe(12);
  });

  it('gathers requests for a moment after a call that several shared, but not after a lone one', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      const calls: (readonly [number, number])[] = [];
      const send = async (requests: readonly number[]) => {
        calls.push([performance.now(), requests.length]);
        return requests;
      };
      const batcher = new Batcher(send, 3, 5);
      await batcher.add(1);
      await batcher.add(2);
      await Promise.all([batcher.add(3), batcher.add(4)]);
      const gathered = [batcher.add(5), batcher.add(6)];
      await jest.advanceTimersByTimeAsync(4);
      expect(calls.map(([, size]) => size)).toEqual([1, 1, 2]);
      await jest.advanceTimersByTimeAsync(1);
      await Promise.all(gathered);
      expect(calls.map(([, size]) => size)).toEqual([1, 1, 2, 2]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('fails only the requests of a failed call', async () => {
    let calls = 0;
    const batcher = new Batcher(async (requests: readonly number[]) => {
      calls += 1;
      if (calls === 1) throw new Error('down');
      return requests;
    }, 2);
    const results = await Promise.allSettled([1, 2, 3].map((request) => batcher.add(request)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
