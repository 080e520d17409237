import { describe, expect, it } from '@jest/globals';
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
