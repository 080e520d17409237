import { describe, expect, it } from '@jest/globals';
import { filtersOfPeriod, periodOptions } from './list-periods.js';

const NOON = Date.UTC(2026, 10, 25, 12);
const DAY_MS = 86_400_000;

describe('the period of a list', () => {
  it.each([
    ['hour', { from: NOON - 3_600_000 }],
    ['month', { from: NOON - 30 * DAY_MS }],
    ['2026-11-25T11:59', { from: NOON - 60_000, to: NOON - 1 }],
    ['2026-11-25T11', { from: NOON - 3_600_000, to: NOON - 1 }],
    ['2026-11-25', { from: NOON - DAY_MS / 2, to: NOON + DAY_MS / 2 - 1 }],
    ['2026-13-25', {}],
    ['constructor', {}],
    [undefined, {}],
  ])('%p filters by %p', (period, filters) => {
    expect(filtersOfPeriod(period, NOON)).toEqual(filters);
  });

  it('can be chosen, also if it is a bar of a chart', () => {
    expect(Object.keys(periodOptions())).toEqual(['', 'hour', 'day', 'week', 'month']);
    expect(periodOptions('2026-11-25')['2026-11-25']).toMatch(/25.* UTC$/);
  });
});
