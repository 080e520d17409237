import { describe, expect, it } from '@jest/globals';
import { activityOfUsage, countCodes, durationsOf } from './recent-figures.js';

const NOW = Date.UTC(2026, 10, 25, 12, 30, 20);

describe('recent figures', () => {
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

  it('have a gap where no transaction was executed', () => {
    const at = Date.UTC(2026, 10, 25, 12, 29);
    const figures = {
      transactions: 5,
      latency_ms: { p50: 300, p99: 900 },
      queue_ms: { p50: 1, p99: 0 },
    };
    const { times, median, slowest, queued } = durationsOf(
      {
        from: at - 60_000,
        to: at + 119_999,
        by: 'minute',
        rows: [{ at, ...figures }],
        total: figures,
      },
      NOW,
    );
    expect(times).toEqual([at - 60_000, at, at + 60_000]);
    expect([median, slowest, queued]).toEqual([
      [null, 300, null],
      [null, 900, null],
      [null, 0, null],
    ]);
  });

  it('order codes by frequency', () => {
    const codes = ['A', 'B', 'B'].map((code) => ({ code }));
    expect(countCodes(codes)).toEqual([
      ['B', 2],
      ['A', 1],
    ]);
  });
});
