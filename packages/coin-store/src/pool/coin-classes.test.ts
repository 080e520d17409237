import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classOf, coveringClassOf, leastOf } from './coin-classes.js';

const balances = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });

describe('classes of balance', () => {
  it('grow with the balance', () => {
    fc.assert(
      fc.property(balances, balances, (a, b) => {
        const [small, large] = a < b ? [a, b] : [b, a];
        expect(classOf(small)).toBeLessThanOrEqual(classOf(large));
      }),
    );
  });

  it('have no gaps: the next balance is in the same class or the next', () => {
    fc.assert(
      fc.property(balances, (balance) => {
        expect([0, 1]).toContain(classOf(balance + 1n) - classOf(balance));
      }),
    );
  });

  it('cover a budget from the covering class on, and not surely below it', () => {
    fc.assert(
      fc.property(balances, balances, (budget, balance) => {
        if (classOf(balance) >= coveringClassOf(budget)) {
          expect(balance).toBeGreaterThanOrEqual(budget);
        }
        expect(coveringClassOf(budget) - classOf(budget)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('begin with their least balance', () => {
    fc.assert(
      fc.property(balances, (balance) => {
        const least = leastOf(classOf(balance));
        expect(least).toBeLessThanOrEqual(balance);
        expect(classOf(least)).toBe(classOf(balance));
        if (least > 0n) expect(classOf(least - 1n)).toBe(classOf(balance) - 1);
      }),
    );
  });
});
