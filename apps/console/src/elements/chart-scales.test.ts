import { describe, expect, it } from '@jest/globals';
import {
  decadesAround,
  labelledBars,
  logTicks,
  nameBar,
  rangeOfBars,
  stackValues,
  WHOLE_STEPS,
} from './chart-scales.js';

const AT = Date.UTC(2026, 10, 25, 12);
const every = (step: number, count: number) =>
  Array.from({ length: count }, (_, index) => AT + index * step);
const minutes = every(60_000, 60);
const hours = every(3_600_000, 24);
const days = every(86_400_000, 30);

describe('the scales of a chart', () => {
  it('leave half a bar before the first and behind the last one', () => {
    expect(rangeOfBars(hours)).toEqual([AT / 1_000 - 1_800, AT / 1_000 + 23.5 * 3_600]);
  });

  it('label round minutes, and otherwise the last bar', () => {
    const minutesOf = labelledBars(minutes, 0.1).map((seconds) =>
      new Date(seconds * 1_000).getUTCMinutes(),
    );
    expect(minutesOf).toEqual([0, 10, 20, 30, 40, 50]);
    expect(labelledBars(hours, 0.1).at(-1)).toBe(hours.at(-1)! / 1_000);
  });

  it('count in whole numbers', () => {
    expect(WHOLE_STEPS.every(Number.isInteger)).toBe(true);
    expect(WHOLE_STEPS.slice(0, 5)).toEqual([1, 2, 5, 10, 20]);
  });

  it('show the parts of a bar one above the other', () => {
    const parts = [
      [3, 0],
      [1, null],
      [2, 5],
    ];
    expect(stackValues(parts)).toEqual([
      [6, 5],
      [3, 5],
      [2, 5],
    ]);
  });

  it.each([
    [[250], [100, 1_000], [100, 200, 500, 1_000]],
    [[100], [100, 1_000], [100, 200, 500, 1_000]],
    [
      [1, 20_000],
      [1, 100_000],
      [1, 10, 100, 1_000, 10_000, 100_000],
    ],
  ] as const)('of %p are logarithmic from %p, with ticks %p', (values, range, ticks) => {
    expect(decadesAround(values)).toEqual(range);
    expect(logTicks(range)).toEqual(ticks);
  });

  it('name a whole bar', () => {
    expect(nameBar(AT, minutes, true)).toMatch(/25.*, 12:00 UTC$/);
    expect(nameBar(AT, hours, true)).toMatch(/25.*, 12:00 to 13:00 UTC$/);
    expect(nameBar(AT, days, true)).toMatch(/^(Nov 25|25 Nov) UTC$/);
  });
});
