import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { onTicks, untilTick } from './ticks.js';

const EVERY_MS = 1_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const wait = (ms: number) => jest.advanceTimersByTime(ms);

/** When a call was made, in ms since the start. */
function repeat(everyMs: number, calls: number[], startedAt: number): () => void {
  return onTicks(everyMs, () => calls.push(Math.round(performance.now() - startedAt)));
}

describe('ticks', () => {
  it('are the same for all that begin at different times and with different intervals', () => {
    const startedAt = performance.now();
    const [first, second, frequent]: [number[], number[], number[]] = [[], [], []];
    const stops = [repeat(EVERY_MS, first, startedAt)];
    wait(437);
    stops.push(repeat(EVERY_MS, second, startedAt), repeat(EVERY_MS / 2, frequent, startedAt));
    wait(10 * EVERY_MS);
    stops.forEach((stop) => stop());
    expect(second.length).toBeGreaterThanOrEqual(9);
    expect(second).toEqual(first.slice(-second.length));
    expect(frequent).toEqual(expect.arrayContaining(second));
  });

  it('are one interval apart, however long the work takes that begins at one', () => {
    wait(untilTick(EVERY_MS));
    for (const tookMs of [0, 3, 250, 700, 899]) {
      wait(tookMs);
      expect(untilTick(EVERY_MS)).toBe(EVERY_MS - tookMs);
      wait(EVERY_MS - tookMs);
    }
  });

  it('do not come twice because a timer fired too early', () => {
    wait(untilTick(EVERY_MS) - 1);
    expect(untilTick(EVERY_MS)).toBe(EVERY_MS + 1);
  });

  it('end when they are stopped', () => {
    const calls: number[] = [];
    const stop = repeat(EVERY_MS, calls, performance.now());
    wait(2 * EVERY_MS);
    stop();
    const before = calls.length;
    wait(5 * EVERY_MS);
    expect([before > 0, calls.length]).toEqual([true, before]);
  });

  it('end also when they are stopped at a tick', () => {
    const calls: number[] = [];
    const stop = onTicks(EVERY_MS, () => {
      calls.push(1);
      stop();
    });
    wait(5 * EVERY_MS);
    expect(calls).toEqual([1]);
  });
});
