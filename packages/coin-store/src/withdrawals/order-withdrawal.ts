import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * `not drained`: the sponsor still gives reservations. `in flight`: a reservation or an operation has coins. `elsewhere`:
 * a withdrawal to another address is under way.
 */
export type WithdrawalAnswer = 'ordered' | 'not drained' | 'in flight' | 'elsewhere';

export interface WithdrawalOrder {
  readonly to: string;
  /** Name of the operator's token. */
  readonly by: string;
  readonly reason: string;
}

/** Orders that the funds of a drained sponsor are sent to an address, in full form. May be repeated. */
export function orderWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  order: WithdrawalOrder,
): Promise<WithdrawalAnswer> {
  return run(redis, sponsor, order, 'order');
}

/** Answers what `orderWithdrawal` would, and orders nothing. */
export function checkWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  order: WithdrawalOrder,
): Promise<WithdrawalAnswer> {
  return run(redis, sponsor, order, 'check');
}

async function run(
  redis: CoinStoreRedis,
  sponsor: string,
  { to, by, reason }: WithdrawalOrder,
  mode: 'order' | 'check',
): Promise<WithdrawalAnswer> {
  const args = [to, by, reason, mode] as const;
  return (await runOnPool(redis, 'order-withdrawal', sponsor, ...args)) as WithdrawalAnswer;
}
