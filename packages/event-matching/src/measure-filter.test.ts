import { describe, expect, it } from '@jest/globals';
import type { EventFilter } from '@forecourt/contracts';
import { measureFilter } from './measure-filter.js';

const field = (path: string[], value: unknown): EventFilter => ({
  key: 'MoveEventField',
  path,
  value,
});

describe('the cost of a filter', () => {
  it('grows with its parts and with its texts', () => {
    const one = measureFilter({ key: 'Module', module: 'm' }).bytes;
    const both = measureFilter({
      key: 'And',
      filters: [
        { key: 'Module', module: 'm' },
        { key: 'Module', module: 'm' },
      ],
    }).bytes;
    expect(both).toBeGreaterThan(2 * one);
    expect(measureFilter(field(['a'], 'x'.repeat(1_000))).bytes).toBeGreaterThan(3_000);
  });

  it('names every path once', () => {
    const filters = [field(['a'], 1), field(['a'], 2), field(['a', 'b'], 1)];
    expect(measureFilter({ key: 'Any', filters }).paths.size).toBe(2);
  });
});
