import type { GasCoin, PaymentWear } from '@forecourt/ledger';
import { isDust, type PlacementRules } from './placement.js';

/** What a transaction did to the pool's coins: `paid` are those it was paid with, `left` is the one that remains. */
export function paymentWear(
  paid: readonly GasCoin[],
  left: GasCoin | null,
  gasPrice: bigint,
  rules: PlacementRules,
): PaymentWear {
  return {
    gasPrice,
    smashedCoins: paid.length - 1,
    leavesDust: left !== null && isDust(left.balance, rules),
  };
}
