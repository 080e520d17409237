import type { GasCoin, PaymentImpact } from '@forecourt/ledger';
import { isDust, type PlacementRules } from './placement.js';

/** Effect of a transaction on the pool's coins: `paid` are the payment coins, `left` is the remaining one. */
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
