import { describe, expect, it } from '@jest/globals';
import { readAmount, readPercentage, readSpan } from './read-token-values.js';

describe('an amount in a file of tokens', () => {
  it.each([
    ['1', 1],
    ['10_000_000', 10_000_000],
    ['2 coins', 2_000_000_000],
    [String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
  ])('%j is %d', (text, amount) => expect(readAmount(text)).toBe(amount));

  it.each(['0', '-1', '1.5', '9007199254740992', 'all'])('cannot be %j', (text) => {
    expect(() => readAmount(text)).toThrow(/must be/);
  });
});

describe('a share in a file of tokens', () => {
  it.each([
    ['1', 1],
    ['50%', 50],
    ['100 %', 100],
  ])('%j is %d percent', (text, share) => expect(readPercentage(text)).toBe(share));

  it.each(['0', '0%', '101', '999%', '1.5', '-5', '%', 'half'])('cannot be %j', (text) => {
    expect(() => readPercentage(text)).toThrow('must be a share from 1% to 100%');
  });
});

describe('a time span in a file of tokens', () => {
  it('is a second to a day', () => {
    expect([readSpan('1 s'), readSpan('1 day')]).toEqual([1_000, 86_400_000]);
    for (const text of ['0 s', '25 h', '2 days']) expect(() => readSpan(text)).toThrow(/must be/);
  });
});
