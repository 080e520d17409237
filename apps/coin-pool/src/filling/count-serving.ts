import type { CoinState, PoolTotals } from '@forecourt/coin-store';

/** Coins in these states are, or will soon be, there to sponsor with. */
const SERVING: readonly CoinState[] = ['available', 'reserved', 'claimed', 'executing'];

/** How many coins a pool sponsors with. */
export function countServing({ coins }: PoolTotals): number {
  return SERVING.reduce((sum, state) => sum + Number(coins[state]), 0);
}
