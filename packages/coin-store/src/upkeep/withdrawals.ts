import { randomUUID } from 'node:crypto';
import type { GasCoin } from '@forecourt/ledger';
import { type PlacementRules, readCoinList, writeCoins } from '../pool/pool-coins.js';
import { type CoinStoreRedis, recordsOf, runScript } from '../scripts/prepare-coin-store.js';

/**
 * `not drained`: the sponsor still gives reservations. `in flight`: a reservation or an operation has coins. `elsewhere`:
 * a withdrawal to another address is under way; `under way`: another one to this address is. `repeated`: this amount was
 * ordered with this request before the latest withdrawal. `not enough`: the coins do not cover the amount.
 */
export type WithdrawalAnswer =
  'ordered' | 'not drained' | 'in flight' | 'elsewhere' | 'under way' | 'repeated' | 'not enough';

/** A part of a sponsor's funds. */
export interface WithdrawalPart {
  /** In the smallest unit, above 0. */
  readonly amount: bigint;
  /** Distinguishes a further order of the same amount from a repetition; '' for the first. */
  readonly request: string;
  /** The coins at rest have the amount and the gas. */
  readonly isCovered: boolean;
}

export interface WithdrawalOrder {
  readonly to: string;
  /** Name of the operator's token. */
  readonly by: string;
  readonly reason: string;
  /** Absent: all funds. */
  readonly part?: WithdrawalPart | null;
}

/** Orders that funds of a drained sponsor are sent to an address, in full form. May be repeated. */
export function orderWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  order: WithdrawalOrder,
): Promise<WithdrawalAnswer> {
  return decide(redis, sponsor, order, 'order');
}

/** Answers what `orderWithdrawal` would, and orders nothing. */
export function checkWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  order: WithdrawalOrder,
): Promise<WithdrawalAnswer> {
  return decide(redis, sponsor, order, 'check');
}

async function decide(
  redis: CoinStoreRedis,
  sponsor: string,
  { to, by, reason, part }: WithdrawalOrder,
  mode: 'order' | 'check',
): Promise<WithdrawalAnswer> {
  const ofPart = part ? [String(part.amount), part.request, part.isCovered ? 1 : 0] : ['', '', 0];
  const args = [to, by, reason, mode, ...ofPart];
  return (await runScript(redis, 'order-withdrawal', sponsor, ...args)) as WithdrawalAnswer;
}

/**
 * Takes coins for the ordered withdrawal: of all funds, one that pays the gas, then dust, then the others; of an amount,
 * the largest that cover what is left of it and the gas. No coins: none are left. Null when it may not begin now, because
 * another operation or reservation has coins or the order has ended. Ends the order of an amount that another Redis server
 * took, which may know of transactions that this one has lost.
 */
export async function beginWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  request: {
    to: string;
    /** The ordered amount; null or absent: all funds. */
    amount?: bigint | null;
    maxCoins: number;
    /** Lease of the operation without a transaction. */
    leaseMs: number;
    /** Of one transaction, in the smallest unit; only an amount needs it. */
    gasBudget?: bigint;
  },
): Promise<{ operationId: string; coins: GasCoin[] } | null> {
  const operationId = randomUUID();
  const { to, amount, maxCoins, leaseMs, gasBudget = 0n } = request;
  const args = [operationId, to, maxCoins, leaseMs, textOf(amount), String(gasBudget)];
  const reply = (await runScript(redis, 'begin-withdrawal', sponsor, ...args)) as string | null;
  return reply === null ? null : { operationId, coins: readCoinList(reply) };
}

/**
 * Records that the ledger has executed an operation of a withdrawal: its coins have left, except the `remaining` ones.
 * False when it was recorded before.
 */
export async function finishWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  result: {
    operationId: string;
    gasCharged: bigint;
    digest: string;
    /** The amount that was sent; 0: the coins themselves. */
    sent: bigint;
    remaining: readonly GasCoin[];
    rules: PlacementRules;
  },
): Promise<boolean> {
  const { operationId, gasCharged, digest, sent, remaining, rules } = result;
  const coins = recordsOf(writeCoins(remaining, rules));
  const args = [operationId, String(gasCharged), digest, String(sent), ...coins];
  return (await runScript(redis, 'finish-withdrawal', sponsor, ...args)) === 1;
}

/** Ends the withdrawal of `amount` to `to`. False when none is under way, or an operation still has coins. */
export async function endWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  { to, amount }: { to: string; amount?: bigint | null },
): Promise<boolean> {
  return (await runScript(redis, 'end-withdrawal', sponsor, to, textOf(amount))) === 1;
}

function textOf(amount: bigint | null | undefined): string {
  return amount == null ? '' : String(amount);
}
