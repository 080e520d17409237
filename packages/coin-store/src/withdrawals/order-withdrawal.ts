import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * `not drained`: the sponsor still gives reservations. `in flight`: a reservation or an operation has coins. `elsewhere`:
 * a withdrawal to another address is under way.
 */
export type WithdrawalAnswer = 'ordered' | 'not drained' | 'in flight' | 'elsewhere';

/** Orders that the funds of a drained sponsor are sent to an address, in full form. May be repeated. */
export async function orderWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  { to, by, reason }: { to: string; by: string; reason: string },
): Promise<WithdrawalAnswer> {
  return (await runOnPool(redis, 'order-withdrawal', sponsor, to, by, reason)) as WithdrawalAnswer;
}
