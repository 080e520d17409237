import { describe, expect, it } from '@jest/globals';
import { activityByMinute, activityOfUsage, countCodes, durationsOf } from './recent-figures.js';

type Recent = Parameters<typeof durationsOf>[0];

const NOW = Date.UTC(2026, 10, 25, 12, 30, 20);
const executed = (agoMs: number, tookMs: number, outcome: 'success' | 'failure' = 'success') =>
  ({
    created_at: NOW - agoMs,
    ended_at: NOW - agoMs + tookMs,
    status: 'executed',
    outcome,
    refusals: [],
  }) as unknown as Recent[number];

describe('recent figures', () => {
  it('count the last hour by minute', () => {
    const refused = { created_at: NOW, outcome: null, refusals: [{}] } as unknown as Recent[number];
    const {
      times,
      succeeded,
      failed,
      refused: refusals,
    } = activityByMinute(
      [executed(1_000, 5), executed(25_000, 5), executed(61_000, 5, 'failure'), refused],
      NOW,
    );
    expect(times).toHaveLength(60);
    expect([succeeded.at(-1), succeeded.at(-2), failed.at(-2), refusals.at(-1)]).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('have a zero for an hour without usage', () => {
    const row = { hour: '2026-11-25T11', transactions: 5, failed: 2, refused: 1, gas: '1' };
    const report = { from: Date.UTC(2026, 10, 25, 10), to: NOW, rows: [row] };
    const activity = activityOfUsage(
      report as unknown as Parameters<typeof activityOfUsage>[0],
      'hour',
      NOW,
    );
    expect(activity.succeeded).toEqual([0, 3, 0]);
    expect(activity.failed).toEqual([0, 2, 0]);
  });

  it('are the median and the 99th percentile', () => {
    const many = Array.from({ length: 100 }, (_, index) => executed(0, index + 1));
    expect(durationsOf(many)).toEqual({ p50: 50, p99: 99 });
    expect(durationsOf([executed(0, 7)])).toEqual({ p50: 7, p99: 7 });
    expect(durationsOf([])).toBeNull();
  });

  it('order codes by frequency', () => {
    const codes = ['A', 'B', 'B'].map((code) => ({ code }));
    expect(countCodes(codes)).toEqual([
      ['B', 2],
      ['A', 1],
    ]);
  });
});
