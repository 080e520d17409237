import { randomUUID } from 'node:crypto';
import type { GasCoin } from '@forecourt/ledger';
import { readCoinList } from '../pool/pool-coins.js';
import { type CoinStoreRedis, runScript } from '../scripts/prepare-coin-store.js';

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
export async function orderWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  { to, by, reason }: WithdrawalOrder,
): Promise<WithdrawalAnswer> {
  const reply = await runScript(redis, 'order-withdrawal', sponsor, to, by, reason, 'order');
  return reply as WithdrawalAnswer;
}

/** Answers what `orderWithdrawal` would, and orders nothing. */
export async function checkWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  { to, by, reason }: WithdrawalOrder,
): Promise<WithdrawalAnswer> {
  const reply = await runScript(redis, 'order-withdrawal', sponsor, to, by, reason, 'check');
  return reply as WithdrawalAnswer;
}

/**
 * Takes coins for the ordered withdrawal to `to`: one that pays the gas, then dust, then the others. No coins: none
 * are left. Null when it may not begin now, because another operation or reservation has coins or the order has
 * ended.
 */
export async function beginWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  request: {
    to: string;
    maxCoins: number;
    /** Lease of the operation without a transaction. */
    leaseMs: number;
  },
): Promise<{ operationId: string; coins: GasCoin[] } | null> {
  const operationId = randomUUID();
  const { to, maxCoins, leaseMs } = request;
  const args = [operationId, to, maxCoins, leaseMs];
  const reply = (await runScript(redis, 'begin-withdrawal', sponsor, ...args)) as string | null;
  return reply === null ? null : { operationId, coins: readCoinList(reply) };
}

/**
 * Records that the ledger has executed an operation of a withdrawal: its coins have left. False when it was
 * recorded before.
 */
export async function finishWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  result: { operationId: string; gasCharged: bigint; digest: string },
): Promise<boolean> {
  const { operationId, gasCharged, digest } = result;
  const args = [operationId, String(gasCharged), digest];
  return (await runScript(redis, 'finish-withdrawal', sponsor, ...args)) === 1;
}

/** Ends the withdrawal to `to`. False when none is under way, or an operation still has coins. */
export async function endWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  { to }: { to: string },
): Promise<boolean> {
  return (await runScript(redis, 'end-withdrawal', sponsor, to)) === 1;
}
