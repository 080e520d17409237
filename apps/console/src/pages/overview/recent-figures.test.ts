import { describe, expect, it } from '@jest/globals';
import { MOST_RECENT } from '../../api/recent-records.js';
import { activityByMinute, activityOfUsage, countCodes, durationsOf } from './recent-figures.js';

type Recent = Parameters<typeof activityByMinute>[0];

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

  it('begin with the first whole minute where an hour has more than is loaded', () => {
    const many = Array.from({ length: MOST_RECENT }, (_, index) => executed(index * 250, 5));
    const { times, succeeded } = activityByMinute(many, NOW);
    expect(times.map((at) => (NOW - 20_000 - at) / 60_000)).toEqual([3, 2, 1, 0]);
    expect(succeeded).toEqual([240, 240, 240, 81]);
  });

  it('order codes by frequency', () => {
    const codes = ['A', 'B', 'B'].map((code) => ({ code }));
    expect(countCodes(codes)).toEqual([
      ['B', 2],
      ['A', 1],
    ]);
  });
});
