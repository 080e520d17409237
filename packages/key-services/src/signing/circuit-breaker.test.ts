import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

const failing = (times: number) => {
  const breaker = new CircuitBreaker();
  const begun = Array.from({ length: times }, () => breaker.fail());
  return { breaker, begun };
};

describe('a circuit breaker', () => {
  it('opens after five failures in a row, and reports the outage once', () => {
    const { breaker, begun } = failing(5);
    expect(begun).toEqual([false, false, false, false, true]);
    expect(breaker.admit()).toBe(false);
    const { breaker: other } = failing(4);
    other.succeed();
    expect(other.fail()).toBe(false);
    expect(other.admit()).toBe(true);
  });

  it('lets one request through after a pause, and closes when that succeeds', () => {
    const { breaker } = failing(5);
    jest.advanceTimersByTime(1_000);
    expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
    expect(breaker.isOpen).toBe(true);
    expect(breaker.succeed()).toBe(true);
    expect([breaker.admit(), breaker.admit()]).toEqual([true, true]);
  });

  it('pauses for longer after each failure, up to fifteen seconds', () => {
    const { breaker } = failing(5);
    const pauses = [];
    for (let round = 0; round < 6; round++) {
      pauses.push(breaker.remainingMs);
      jest.advanceTimersByTime(15_000);
      breaker.admit();
      breaker.fail();
    }
    expect(pauses.map((ms) => ms >= 800 && ms <= 15_000)).not.toContain(false);
    expect(pauses[5]).toBeGreaterThan(pauses[0]! * 5);
  });

  it('opens at once for a lasting fault, and ignores late failures of earlier requests', () => {
    const breaker = new CircuitBreaker();
    expect(breaker.fail(true)).toBe(true);
    const { remainingMs } = breaker;
    expect(breaker.fail()).toBe(false);
    expect(breaker.remainingMs).toBe(remainingMs);
  });
});
