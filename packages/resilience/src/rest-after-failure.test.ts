import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RestAfterFailure } from './rest-after-failure.js';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

describe('the rest after a failure', () => {
  it('doubles with each failure up to a limit, and ends with a success', () => {
    const rest = new RestAfterFailure({ firstMs: 100, longestMs: 300 });
    const rests = [1, 2, 3].map(() => {
      rest.fail();
      const { remainingMs } = rest;
      jest.advanceTimersByTime(remainingMs);
      return remainingMs;
    });
    expect(rests).toEqual([100, 200, 300]);
    expect([rest.hasFailed, rest.remainingMs]).toEqual([true, 0]);
    rest.fail();
    rest.succeed();
    expect([rest.hasFailed, rest.remainingMs, rest.until]).toEqual([false, 0, 0]);
    rest.fail();
    expect(rest.remainingMs).toBe(100);
  });

  it('does not grow without a limit', () => {
    const rest = new RestAfterFailure({ firstMs: 100 });
    for (let failures = 0; failures < 2_000; failures++) rest.fail();
    expect(rest.remainingMs).toBe(100);
  });

  it('lasts as long as the failure asks, up to the limit', () => {
    const rest = new RestAfterFailure({ firstMs: 100, longestMs: 1_000 });
    rest.fail({ askedMs: 700 });
    expect(rest.remainingMs).toBe(700);
    rest.fail({ askedMs: 86_400_000 });
    expect(rest.remainingMs).toBe(1_000);
  });

  it('is not shortened by a later failure', () => {
    const rest = new RestAfterFailure({ firstMs: 100, longestMs: 1_000 });
    rest.fail({ askedMs: 700 });
    rest.fail({ askedMs: 0 });
    rest.extend(50);
    expect(rest.remainingMs).toBe(700);
  });

  it('is extended without a failure', () => {
    const rest = new RestAfterFailure({ firstMs: 100 });
    rest.extend(700);
    expect([rest.hasFailed, rest.remainingMs]).toEqual([false, 700]);
  });

  it('is shortened by chance, by the part of the jitter at most', () => {
    const rest = new RestAfterFailure({ firstMs: 1_000, jitter: 0.2 });
    jest.spyOn(Math, 'random').mockReturnValueOnce(0.5);
    rest.fail();
    expect(rest.remainingMs).toBe(900);
  });
});

describe('a rest after several failures, which one call at a time may try to end', () => {
  const failing = (times: number) => {
    const rest = new RestAfterFailure({ firstMs: 1_000, longestMs: 15_000, after: 5, tries: 1 });
    for (let count = 0; count < times; count++) rest.fail();
    return rest;
  };

  it('begins after so many in a row', () => {
    expect([failing(4).begin(), failing(5).begin()]).toEqual([true, false]);
    const rest = failing(4);
    rest.succeed();
    rest.fail();
    expect(rest.begin()).toBe(true);
  });

  it('lets one call through when it is over, and ends when that succeeds', () => {
    const rest = failing(5);
    jest.advanceTimersByTime(1_000);
    expect([rest.begin(), rest.begin(), rest.hasFailed]).toEqual([true, false, true]);
    rest.succeed();
    expect([rest.begin(), rest.begin(), rest.hasFailed]).toEqual([true, true, false]);
  });

  it('lets the next call through after one that has told nothing', () => {
    const rest = failing(5);
    jest.advanceTimersByTime(1_000);
    rest.begin();
    rest.forget();
    expect(rest.begin()).toBe(true);
  });

  it('is longer after each try that fails', () => {
    const rest = failing(5);
    const rests = [];
    for (let round = 0; round < 6; round++) {
      rests.push(rest.remainingMs);
      jest.advanceTimersByTime(15_000);
      rest.begin();
      rest.fail();
    }
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  });

  it('begins at once for a lasting fault, and ignores late failures of earlier calls', () => {
    const rest = failing(0);
    rest.fail({ isLasting: true });
    expect(rest.remainingMs).toBe(1_000);
    jest.advanceTimersByTime(500);
    rest.fail();
    expect(rest.remainingMs).toBe(500);
  });
});
