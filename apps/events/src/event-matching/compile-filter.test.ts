import { describe, expect, it } from '@jest/globals';
import type { EventFilter } from '@forecourt/contracts';
import { measureFilterCost } from './compile-filter.js';

const field = (path: string[], value: unknown): EventFilter => ({
  key: 'MoveEventField',
  path,
  value,
});

describe('measureFilterCost', () => {
  it('grows with the number of filters and the length of their strings', () => {
    const one = measureFilterCost({ key: 'Module', value: 'm' }).bytes;
    const both = measureFilterCost({
      key: 'And',
      filters: [
        { key: 'Module', value: 'm' },
        { key: 'Module', value: 'm' },
      ],
    }).bytes;
    expect(both).toBeGreaterThan(2 * one);
    expect(measureFilterCost(field(['a'], 'x'.repeat(1_000))).bytes).toBeGreaterThan(3_000);
  });

  it('counts every MoveEventField path once', () => {
    const filters = [field(['a'], 1), field(['a'], 2), field(['a', 'b'], 1)];
    expect(measureFilterCost({ key: 'Any', filters }).paths.size).toBe(2);
  });
});
