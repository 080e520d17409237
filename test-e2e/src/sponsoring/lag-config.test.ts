import { describe, expect, it } from '@jest/globals';
import { readMaxLagMs } from './lag-config.js';

describe('FORECOURT_LAG_MS', () => {
  it.each([
    [undefined, 1_500],
    ['', 1_500],
    ['500', 500],
    ['600000', 600_000],
  ])('may be %s', (text, expected) => {
    expect(readMaxLagMs({ FORECOURT_LAG_MS: text })).toBe(expected);
  });

  it.each(['abc', '499', '600001', '1e3', '-1500', '1500 '])('is refused as “%s”', (text) => {
    expect(() => readMaxLagMs({ FORECOURT_LAG_MS: text })).toThrow(
      `FORECOURT_LAG_MS must be milliseconds, 500 to 600000, not ${text}`,
    );
  });
});
