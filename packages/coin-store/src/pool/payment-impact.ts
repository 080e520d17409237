import type { GasCoin, PaymentImpact } from '@forecourt/ledger';
import { isDust, type PlacementRules } from './placement.js';

/** What a transaction did to the pool's coins: `paid` are those it was paid with, `left` is the one that remains. */
export function paymentImpact(
  paid: readonly GasCoin[],
  left: GasCoin | null,
  gasPrice: bigint,
  rules: PlacementRules,
): PaymentImpact {
  return {
    gasPrice,
    smashedCoins: paid.length - 1,
    leavesDust: left !== null && isDust(left.balance, rules),
  };
}
