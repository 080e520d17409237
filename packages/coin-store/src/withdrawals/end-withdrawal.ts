import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** Ends the withdrawal to `to`. False when none is under way, or an operation still has coins. */
export async function endWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  { to }: { to: string },
): Promise<boolean> {
  return (await runOnPool(redis, 'end-withdrawal', sponsor, to)) === 1;
}
