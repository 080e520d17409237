import { describe, expect, it } from '@jest/globals';
import { readCount, readTime } from './read-arguments.js';

describe('a count in an argument', () => {
  it('is an integer above 0', () => {
    expect(readCount('--gas-budget', '10000000')).toBe(10_000_000);
  });

  it.each(['0', '-1', '1.5', '10_000_000', '1e7', 'ten', '', ' 5', '9007199254740993'])(
    'is refused if it is "%s"',
    (text) =>
      expect(() => readCount('--gas-budget', text)).toThrow(
        `--gas-budget must be an integer above 0; got ${JSON.stringify(text)}`,
      ),
  );
});

describe('a time in an argument', () => {
  it.each([
    ['2026-11-25', Date.UTC(2026, 10, 25)],
    ['2026-11-25T13:00', Date.UTC(2026, 10, 25, 13)],
    ['2026-11-25T13:00:01.5Z', Date.UTC(2026, 10, 25, 13, 0, 1, 500)],
    ['2026-11-25T13:00+01:00', Date.UTC(2026, 10, 25, 12)],
    ['1764072000000', 1_764_072_000_000],
    ['0', 0],
  ])('may be %s', (text, ms) => expect(readTime('--from', text)).toBe(ms));

  it.each(['', 'yesterday', '-1', '2026-13-01', 'Nov 25 2026', '99999999999999999'])(
    'is refused if it is "%s"',
    (text) =>
      expect(() => readTime('--from', text)).toThrow(
        /^--from must be a date such as 2026-11-25 .*; got "/,
      ),
  );
});
