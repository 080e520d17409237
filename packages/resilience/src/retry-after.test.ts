import { describe, expect, it } from '@jest/globals';
import { readRetryAfter, retryAfterSecs } from './retry-after.js';

const now = Date.parse('2026-11-22T10:00:00Z');

describe('readRetryAfter', () => {
  it.each([
    ['7', 7_000],
    [' 0 ', 0],
    ['Sun, 22 Nov 2026 10:00:05 GMT', 5_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [undefined, null],
    [['1', '2'], null],
  ])('reads %j as %j ms', (header, ms) => {
    expect(readRetryAfter(header, now)).toBe(ms);
  });
});

describe('retryAfterSecs', () => {
  it('rounds up to whole seconds, at least one', () => {
    expect([0.001, 1, 1.2].map(retryAfterSecs)).toEqual([1, 1, 2]);
  });
});
