import { describe, expect, it } from '@jest/globals';
import { barsBetween, beginOf, timeOfKey, usagePeriods } from './usage-periods.js';

const NOON = Date.UTC(2026, 10, 25, 12, 34);

describe('the periods of usage', () => {
  it('read keys as times in UTC', () => {
    expect(timeOfKey('2026-11-25')).toBe(Date.UTC(2026, 10, 25));
    expect(timeOfKey('2026-11-25T13')).toBe(Date.UTC(2026, 10, 25, 13));
    expect(timeOfKey('2026-11-25T13:05')).toBe(Date.UTC(2026, 10, 25, 13, 5));
  });

  it('have a bar for each hour or day, also those without a transaction', () => {
    expect(barsBetween(beginOf(usagePeriods.day, NOON), NOON, 'hour')).toHaveLength(24);
    expect(barsBetween(beginOf(usagePeriods.month, NOON), NOON, 'day')).toHaveLength(30);
    expect(barsBetween(beginOf(usagePeriods.week, NOON), NOON, 'day').at(-1)).toBe(
      Date.UTC(2026, 10, 25),
    );
  });
});
