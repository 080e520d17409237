import { describe, expect, it } from '@jest/globals';
import { suggestGasBudget } from './suggest-gas-budget.js';

const effects = (computationCost: string, storageCost: string, storageRebate = '0') => ({
  gasUsed: {
    computationCost,
    computationCostBurned: computationCost,
    storageCost,
    storageRebate,
    nonRefundableStorageFee: '0',
  },
});

describe('suggestGasBudget', () => {
  it('covers the cost of the dry run with a fifth to spare, and the least computation', () => {
    expect(suggestGasBudget(effects('1000000', '2000000'), 1_000n)).toBe(4_600_000n);
  });

  it('does not count on rebates, which are paid only afterwards', () => {
    const rebate = suggestGasBudget(effects('1000000', '2000000', '9000000'), 1_000n);
    expect(rebate).toBe(suggestGasBudget(effects('1000000', '2000000'), 1_000n));
  });
});
