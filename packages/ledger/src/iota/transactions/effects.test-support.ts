import type { TransactionEffects } from '@forecourt/contracts';

/** Of a transaction and of an object. */
export const SOME_DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';

/** Effects with all fields that settling needs, and more. */
export function someEffects(more: Partial<TransactionEffects> = {}): TransactionEffects {
  return {
    messageVersion: 'v1',
    transactionDigest: SOME_DIGEST,
    status: { status: 'success' },
    executedEpoch: '3',
    gasUsed: {
      computationCost: '1',
      computationCostBurned: '1',
      storageCost: '1',
      storageRebate: '1',
      nonRefundableStorageFee: '0',
    },
    gasObject: {
      owner: { AddressOwner: `0x${'5'.repeat(64)}` },
      reference: { objectId: `0x${'7'.repeat(64)}`, version: 6, digest: SOME_DIGEST },
    },
    ...more,
  };
}
