import { describe, expect, it } from '@jest/globals';
import type { DecodedTransaction } from './decoded-transaction.js';
import { largestSponsorCost, type PaymentImpact, sponsorCost } from './sponsor-cost.js';

const effects = (computation: bigint, storage: bigint, rebate: bigint) => ({
  gasUsed: {
    computationCost: String(computation),
    computationCostBurned: String(computation),
    storageCost: String(storage),
    storageRebate: String(rebate),
    nonRefundableStorageFee: '0',
  },
});
const oneCoin: PaymentImpact = { gasPrice: 1_000n, smashedCoins: 0, leavesDust: false };

describe('sponsorCost', () => {
  it('equals the ledger’s charge when one coin has paid and stays in use', () => {
    expect(sponsorCost(effects(1_000_000n, 2_960_800n, 980_400n), oneCoin)).toBe(2_980_400n);
  });

  it('includes the deposits of smashed coins and the computation of new splits', () => {
    // Three coins paid; the deposits of two were refunded.
    const gas = effects(1_000_000n, 980_400n, 3n * 980_400n);
    const restored = 2n * 980_400n + 2n * 1_000_000n;
    const net = 1_000_000n - 2n * 980_400n;
    expect(sponsorCost(gas, { ...oneCoin, smashedCoins: 2 })).toBe(net + restored);
  });

  it('is never less than the computation, with any refunded deposits', () => {
    const gas = effects(5_000_000n, 980_400n, 900_000_000n);
    expect(sponsorCost(gas, oneCoin)).toBe(5_000_000n);
  });

  it('includes the consolidation and the split that replace a used-up coin', () => {
    const gas = effects(1_000_000n, 980_400n, 980_400n);
    expect(sponsorCost(gas, { ...oneCoin, leavesDust: true })).toBe(2_500_000n);
    expect(sponsorCost(gas, { gasPrice: 3_000n, smashedCoins: 0, leavesDust: true })).toBe(
      5_500_000n,
    );
  });
});

describe('largestSponsorCost', () => {
  it('covers every actual cost', () => {
    const coin = { objectId: '0xc', version: 1, digest: 'D' };
    const transaction = {
      gasBudget: 7_000_000n,
      gasPrice: 2_000n,
      gasPayment: [coin, coin, coin],
    } as unknown as DecodedTransaction;
    const impact: PaymentImpact = { gasPrice: 2_000n, smashedCoins: 2, leavesDust: true };
    const worst = effects(7_000_000n, 0n, 0n);
    expect(largestSponsorCost(transaction, true)).toBe(sponsorCost(worst, impact));
    const single = { ...transaction, gasPayment: [coin] };
    expect(largestSponsorCost(single, false)).toBe(7_000_000n);
  });
});
