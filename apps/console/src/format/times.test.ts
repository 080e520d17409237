import { describe, expect, it } from '@jest/globals';
import { formatAge, formatDuration, formatUntil, formatUtc } from './times.js';

describe('times', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [1_430, '1.43 s'],
    [59_900, '59.9 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [273_600_000, '3 d 4 h'],
  ])('write %s ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [0, 'just now'],
    [12_400, '12 s ago'],
    [300_000, '5 min ago'],
    [7_200_000, '2 h ago'],
    [200_000_000, '2 d ago'],
    [-5_000, 'just now'],
  ])('write an age of %s ms as %s', (age, text) => {
    expect(formatAge(1_000_000_000_000 - age, 1_000_000_000_000)).toBe(text);
  });

  it('write a time to come with what is left until then', () => {
    const now = new Date(2026, 10, 25, 11, 5, 30).getTime();
    const timeIn = (hours: number) => new Date(2026, 10, 25, 11 + hours, 5).getTime();
    expect(formatUntil(timeIn(3), now)).toBe('14:05, in 2 h 59 min');
    expect(formatUntil(timeIn(26), now)).toMatch(/26.*13:05, in 1 d 1 h$/);
  });

  it('write an instant in UTC to the millisecond', () => {
    expect(formatUtc(Date.UTC(2026, 10, 25, 23, 5, 9, 7))).toBe('2026-11-25 23:05:09.007 UTC');
  });
});
