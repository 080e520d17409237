import type { CoinState, PoolTotals } from '@forecourt/coin-store';

/** Coins in these states can sponsor now or soon. */
const SERVING: readonly CoinState[] = ['available', 'reserved', 'claimed', 'executing'];

/** Number of coins that a pool sponsors with. */
export function countServing({ coins }: PoolTotals): number {
  return SERVING.reduce((sum, state) => sum + Number(coins[state]), 0);
}
