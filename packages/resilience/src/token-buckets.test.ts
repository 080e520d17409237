import { describe, expect, it, jest } from '@jest/globals';
import { TokenBuckets } from './token-buckets.js';

describe('token buckets', () => {
  it('allow a burst, then a fixed rate, for each client', () => {
    let now = 0;
    const buckets = new TokenBuckets({ capacity: 3, perSecond: 2, now: () => now });
    expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([0, 0, 0]);
    expect(buckets.take('a')).toBe(0.5);
    expect(buckets.take('b')).toBe(0);
    now = 500;
    expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBe(0.5);
  });

  it('delay later calls after a charge beyond the capacity', () => {
    let now = 0;
    const buckets = new TokenBuckets({ capacity: 1, perSecond: 1, now: () => now });
    expect([buckets.charge('a', 1), buckets.charge('a', 4)]).toEqual([0, 4]);
    expect(buckets.take('a')).toBe(5);
    now = 5_000;
    expect(buckets.take('a')).toBe(0);
  });

  it('give several tokens together or none, and take one back', () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const buckets = TokenBuckets.within(60, 6);
    expect([buckets.take('a', 4), buckets.take('a', 4)]).toEqual([0, 20]);
    buckets.giveBack('a');
    expect([buckets.take('a', 3), buckets.take('a')]).toEqual([0, 10]);
    for (let given = 0; given < 9; given++) buckets.giveBack('a');
    expect([buckets.take('a', 7), buckets.take('a', 6)]).toEqual([10, 0]);
  });

  it('gain tokens while time passes', () => {
    let now = 0;
    const buckets = new TokenBuckets({ capacity: 3, perSecond: 10, now: () => now });
    const taken = () => [1, 2, 3, 4].map(() => buckets.take('a') === 0);
    expect(taken()).toEqual([true, true, true, false]);
    now = 200;
    expect(taken()).toEqual([true, true, false, false]);
  });
});
