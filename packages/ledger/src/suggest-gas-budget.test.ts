import { describe, expect, it } from '@jest/globals';
import { suggestGasBudget } from './suggest-gas-budget.js';

const effects = (computationCost: string, storageCost: string, storageRebate = '0') => ({
  gasUsed: { computationCost, storageCost, storageRebate, nonRefundableStorageFee: '0' },
});

describe('a suggested gas budget', () => {
  it('a gas budget covers what a dry run cost with a fifth to spare and the least computation', () => {
    expect(suggestGasBudget(effects('1000000', '2000000'), 1_000n)).toBe(4_600_000n);
  });

  it('a gas budget does not count on rebates, which are given back only afterwards', () => {
    const rebate = suggestGasBudget(effects('1000000', '2000000', '9000000'), 1_000n);
    expect(rebate).toBe(suggestGasBudget(effects('1000000', '2000000'), 1_000n));
  });
});
