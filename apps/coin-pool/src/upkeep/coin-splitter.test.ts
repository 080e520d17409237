import { describe, expect, it } from '@jest/globals';
import { maintenanceBudget } from '@forecourt/ledger';
import fc from 'fast-check';
import { coinsThatFit } from './coin-splitter.js';

describe('affordable splits', () => {
  it('never exceed the balance', () => {
    const amounts = fc.bigInt({ min: 1n, max: 2n ** 62n });
    fc.assert(
      fc.property(amounts, amounts, fc.nat(2_000), (balance, amount, most) => {
        const count = coinsThatFit(balance, amount, 1_000n, most);
        expect(count).toBeLessThanOrEqual(Math.min(most, 500));
        if (count > 0) {
          const needed = BigInt(count) * amount + maintenanceBudget(count, 1_000n);
          expect(needed - 980_400n).toBeLessThanOrEqual(balance);
        }
      }),
    );
  });
});
