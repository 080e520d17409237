import { describe, expect, it } from '@jest/globals';
import type { Owner, TransactionEffects } from '@forecourt/contracts';
import { settleFromEffects } from './settle-from-effects.js';

const sponsor = '0x5';
const reference = { objectId: '0xc', version: 9, digest: 'New' };
const effects = (over: Partial<TransactionEffects> = {}): TransactionEffects => ({
  messageVersion: 'v1',
  status: { status: 'success' },
  transactionDigest: 'D',
  executedEpoch: '0',
  gasUsed: {
    computationCost: '1000000',
    computationCostBurned: '1000000',
    storageCost: '1960800',
    storageRebate: '980400',
    nonRefundableStorageFee: '0',
  },
  gasObject: { owner: { AddressOwner: sponsor }, reference },
  ...over,
});
const coin = (balance: bigint) => ({ objectId: '0xc', version: 1, digest: 'Old', balance });

describe('settleFromEffects', () => {
  it('subtracts the net gas from the sum of all payment coins, exactly', () => {
    const payment = [coin(2n ** 60n + 1n), coin(2n ** 60n + 2n)];
    expect(settleFromEffects(effects(), payment, sponsor)).toEqual({
      gasCharged: 1_980_400n,
      gasCoin: { ...reference, balance: 2n ** 61n + 3n - 1_980_400n },
    });
  });

  it('adds a rebate that exceeds the cost', () => {
    const gasUsed = { ...effects().gasUsed, storageRebate: '9980400' };
    const settled = settleFromEffects(effects({ gasUsed }), [coin(10n)], sponsor);
    expect(settled).toMatchObject({ gasCharged: -7_019_600n, gasCoin: { balance: 7_019_610n } });
  });

  it('subtracts the amount that a split moved into new coins', () => {
    const { gasCoin } = settleFromEffects(effects(), [coin(10_000_000n)], sponsor, 3_000_000n);
    expect(gasCoin?.balance).toBe(5_019_600n);
  });

  it.each<Owner>([{ AddressOwner: '0x6' }, { ObjectOwner: sponsor }, 'Immutable'])(
    'returns no coin when it is no longer the sponsor’s: %j',
    (owner) => {
      const gasObject = { owner, reference };
      expect(settleFromEffects(effects({ gasObject }), [coin(5n)], sponsor).gasCoin).toBeNull();
    },
  );
});
