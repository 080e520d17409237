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
    rest.fail(700);
    expect(rest.remainingMs).toBe(700);
    rest.fail(86_400_000);
    expect(rest.remainingMs).toBe(1_000);
  });

  it('is not shortened by a later failure', () => {
    const rest = new RestAfterFailure({ firstMs: 100, longestMs: 1_000 });
    rest.fail(700);
    rest.fail(0);
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
