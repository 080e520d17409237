import { describe, expect, it } from '@jest/globals';
import {
  coinsForChart,
  countGasCoins,
  formatCoins,
  formatCoinsShort,
  formatUnits,
  readCoins,
  shareOf,
} from './amounts.js';

/** Groups are separated by narrow spaces that do not break. */
const narrow = (text: string) => text.replaceAll(' ', '\u202f');

describe('amounts', () => {
  it.each([
    ['0', '0', '0'],
    ['1', '0.000000001', '0.000000001'],
    ['1000000000', '1', '1'],
    ['1234567', '0.001234567', '0.00123'],
    ['10000000', '0.01', '0.01'],
    ['9999980000000', '9 999.98', '9 999'],
    ['18446744073709551615', '18 446 744 073.709551615', '18 446 744 073'],
    ['-3500000000', '−3.5', '−3.5'],
    ['-1', '−0.000000001', '−0.000000001'],
  ])('%s of the smallest unit are %s, in short %s', (units, exact, short) => {
    expect(formatCoins(units)).toBe(narrow(exact));
    expect(formatCoinsShort(units)).toBe(narrow(short));
  });

  it.each([
    ['0.5', 500_000_000n],
    [' 12 ', 12_000_000_000n],
    ['0.000000001', 1n],
    ['9999999999.999999999', 9_999_999_999_999_999_999n],
  ])('are read as they are typed: %j', (text, units) => {
    expect(readCoins(text)).toBe(units);
  });

  it.each(['', '0', '0.0', '-1', '1,000', '1.', '.5', '1e3', '0.0000000001', '1 IOTA', '٣'])(
    'are not read from %j',
    (text) => {
      expect(readCoins(text)).toBeNull();
    },
  );

  it('are distinct from numbers of gas coins', () => {
    expect([1, 1_499].map(countGasCoins)).toEqual(['1 gas coin', `${narrow('1 499')} gas coins`]);
  });

  it('keep every digit of the largest u64 and of sums beyond it', () => {
    expect(formatUnits('18446744073709551615')).toBe(narrow('18 446 744 073 709 551 615'));
    expect(formatUnits(-(2n ** 70n))).toBe(narrow('−1 180 591 620 717 411 303 424'));
  });

  it('lose precision only for the pixels of a chart', () => {
    expect(coinsForChart('1500000000')).toBe(1.5);
    expect(shareOf(1n, 4n)).toBe(0.25);
    expect(shareOf(1n, 0n)).toBe(0);
  });
});
