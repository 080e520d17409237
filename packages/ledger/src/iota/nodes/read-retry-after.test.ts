import { describe, expect, it } from '@jest/globals';
import { readRetryAfter } from './read-retry-after.js';

describe('readRetryAfter', () => {
  const now = Date.parse('2026-11-22T10:00:00Z');

  it.each([
    ['3', 3_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['86400', 60_000],
    ['Sun, 22 Nov 2026 10:00:05 GMT', 5_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['soon', 1_000],
    [undefined, 1_000],
  ])('reads %s as %d ms', (header, ms) => {
    expect(readRetryAfter(header, now)).toBe(ms);
  });
});
