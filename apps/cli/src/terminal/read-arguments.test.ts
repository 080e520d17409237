import { describe, expect, it } from '@jest/globals';
import { readCount } from './read-arguments.js';

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
