import { describe, expect, it } from '@jest/globals';
import { OutcomePending, quarantinePending, retryDelayMs } from './outcome-pending.js';

describe('the delay before a retry', () => {
  it('doubles with every attempt up to half a minute, with jitter', () => {
    for (const [attempt, most] of [
      [1, 500],
      [2, 1_000],
      [4, 4_000],
      [50, 30_000],
      [Number.MAX_SAFE_INTEGER, 30_000],
    ] as const) {
      const delay = retryDelayMs(attempt);
      expect(delay).toBeLessThanOrEqual(most);
      expect(delay).toBeGreaterThanOrEqual(most * 0.8 - 1);
    }
  });

  it('is longer where only an epoch change can help', () => {
    const slow = new OutcomePending('held by validators', 'slow');
    expect(retryDelayMs(1, slow)).toBeGreaterThanOrEqual(3_999);
    expect(retryDelayMs(99, slow)).toBeLessThanOrEqual(60_000);
    expect(retryDelayMs(1, new OutcomePending('timed out'))).toBeLessThanOrEqual(500);
  });

  it('stays short at first where another executor has the key, and then doubles for the case that none has', () => {
    const elsewhere = new OutcomePending('no key', 'elsewhere');
    const most = Array.from({ length: 10 }, (_, made) => retryDelayMs(made + 1, elsewhere));
    expect(Math.max(...most)).toBeLessThanOrEqual(100);
    expect(retryDelayMs(12, elsewhere)).toBeGreaterThanOrEqual(319);
    expect(retryDelayMs(99, elsewhere)).toBeGreaterThanOrEqual(23_999);
  });

  it('grows with the age of a quarantine, so that a node that lags is read soon after it shows more', () => {
    const pauseAt = (ageMs: number) => retryDelayMs(1, quarantinePending('held', { ageMs }));
    expect([0, 6_000, 3_600_000].map(pauseAt)).toEqual([500, 2_000, 60_000]);
  });
});
