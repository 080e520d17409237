import { expect, it } from '@jest/globals';
import { formatAmount } from './format-amount.js';

it.each([
  [0n, '0 IOTA'],
  [1, '0.000000001 IOTA'],
  ['2649200', '0.0026492 IOTA'],
  [1_000_000_000n, '1 IOTA'],
  ['18446744073709551620', '18446744073.70955162 IOTA'],
  [-1_500_000_000n, '-1.5 IOTA'],
])('writes %p of the smallest unit as %s', (amount, text) => {
  expect(formatAmount(amount)).toBe(text);
});
