import { describe, expect, it } from '@jest/globals';
import { median, percentile } from './figures.js';

describe('percentile', () => {
  it.each([
    [[5, 1, 3], 0.5, 3],
    [[5, 1, 3], 1, 5],
    [[5, 1, 3], 0, 1],
    [[4, 3, 2, 1], 0.5, 2],
    [Array.from({ length: 10 }, (_, index) => index + 1), 0.9, 9],
    [[7], 0.99, 7],
    [[1, Infinity], 0.99, Infinity],
    [[], 0.5, 0],
  ])('of %j for %d is %d', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});

describe('median', () => {
  it.each([
    [[5, 1, 3], 3],
    [[4, 1, 3, 2], 2.5],
    [[], 0],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected));
});
