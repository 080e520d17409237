import { describe, expect, it } from '@jest/globals';
import {
  activityOfUsage,
  changeOf,
  changeOfRate,
  codesOfUsage,
  durationsOf,
  headFigures,
} from './overview-figures.js';

const NOW = Date.UTC(2026, 10, 25, 12, 30, 20);

describe('the figures of the overview', () => {
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
    const time = Date.UTC(2026, 10, 25, 12, 29);
    const figures = {
      transactions: 5,
      latency_ms: { p50: 300, p99: 900 },
      queue_ms: { p50: 1, p99: 0 },
    };
    const { times, median, slowest, queued } = durationsOf(
      {
        from: time - 60_000,
        to: time + 119_999,
        by: 'minute',
        rows: [{ at: time, ...figures }],
        total: figures,
      },
      NOW,
    );
    expect(times).toEqual([time - 60_000, time, time + 60_000]);
    expect([median, slowest, queued]).toEqual([
      [null, 300, null],
      [null, 900, null],
      [null, 0, null],
    ]);
  });

  it('order codes by frequency', () => {
    const none = { transactions: 0, failed: 0, gas: '0' };
    const rows = [
      { code: 'A', refused: 1, ...none },
      { code: 'B', refused: 2_000, ...none },
    ];
    expect(codesOfUsage({ rows })).toEqual([
      ['B', 2_000],
      ['A', 1],
    ]);
  });

  it('have no rate and no latency where nothing was sponsored', () => {
    const total = { transactions: 0, failed: 0, refused: 3, gas: '0' };
    expect(headFigures({ total }, undefined)).toEqual({
      sponsored: 0,
      successRate: null,
      refused: 3,
      gas: 0,
      p50: null,
      p99: null,
    });
    const some = { transactions: 4, failed: 1, refused: 0, gas: '1500000000' };
    expect(headFigures({ total: some }, undefined)).toMatchObject({ successRate: 0.75, gas: 1.5 });
  });

  it.each([
    [112, 100, '+12 % on'],
    [97, 100, '−3 % on'],
    [1_001, 1_000, '±0 % on'],
    [0, 5, '−100 % on'],
    [150, 10, '×15 on'],
    [7, 7, 'as'],
    [0, 0, 'as'],
    [3, 0, null],
    [3, null, null],
    [null, 3, null],
  ])('compare %p with %p as %p', (now, before, change) => {
    expect(changeOf(now, before)).toBe(change);
  });

  it('compare rates in points', () => {
    expect(changeOfRate(0.99, 0.986)).toBe('+0.4 points on');
    expect(changeOfRate(0.5, 1)).toBe('−50 points on');
    expect(changeOfRate(1, null)).toBeNull();
  });
});
