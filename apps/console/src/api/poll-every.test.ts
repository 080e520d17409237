import { describe, expect, it } from '@jest/globals';
import { pollEvery } from './poll-every.js';

const poll = pollEvery(2_000);
const failedFor = (ms: number) => ({
  state: { status: 'error', dataUpdatedAt: Date.now() - ms },
});

describe('the time between two polls', () => {
  it('is as given while they are answered', () => {
    const state = { status: 'success', dataUpdatedAt: Date.now() - 60_000 };
    expect(poll({ state })).toBe(2_000);
  });

  it('grows while they fail, within bounds', () => {
    expect(poll(failedFor(1_000))).toBe(2_000);
    const grown = poll(failedFor(10_000));
    expect(grown).toBeGreaterThanOrEqual(5_000);
    expect(grown).toBeLessThan(6_000);
    expect(poll(failedFor(600_000))).toBe(15_000);
    expect(poll({ state: { status: 'error', dataUpdatedAt: 0 } })).toBe(15_000);
    expect(pollEvery(30_000)(failedFor(600_000))).toBe(30_000);
  });
});
