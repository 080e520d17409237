import { randomUUID } from 'node:crypto';
import type { GasCoin } from '@forecourt/ledger';
import type { Withdrawal } from '../pool/drains.js';
import type { PlacementRules } from '../pool/placement-rules.js';
import { readCoinList, writeCoins } from '../pool/stored-coins.js';
import { type CoinStoreRedis, recordsOf, runScript } from '../scripts/run-script.js';

/**
 * `not drained`: the sponsor still gives reservations. `suspended`: its pool is. `after loss`: the pool was
 * suspended, or its server changed, and the caller does not name the latest time (`readLoss`). `in flight`: a
 * reservation or an operation has coins. `elsewhere`: a withdrawal to another address is under way; `under
 * way`: another one to this address is. `repeated`: this amount was ordered with this request before the
 * latest withdrawal, and since the latest loss. `not enough`: the coins do not cover the amount.
 */
export type WithdrawalAnswer =
  | 'ordered'
  | 'not drained'
  | 'suspended'
  | 'after loss'
  | 'in flight'
  | 'elsewhere'
  | 'under way'
  | 'repeated'
  | 'not enough';

/** A part of a sponsor's funds. */
interface WithdrawalPart {
  /** In the smallest unit, above 0. */
  readonly amount: bigint;
  /** Distinguishes a further order of the same amount from a repetition; '' for the first. */
  readonly request: string;
  /** The coins at rest have the amount and the gas. */
  readonly isCovered: boolean;
}

export interface WithdrawalOrder {
  /** A unique id, for the case that the order is new. */
  readonly id: string;
  readonly to: string;
  /** Name of the operator's token. */
  readonly by: string;
  readonly reason: string;
  /** Absent: all funds. */
  readonly part?: WithdrawalPart | null;
  /** The loss after which the caller has looked at the ledger; null or absent: none. */
  readonly afterLoss?: string | null;
}

/** Tells an ordered withdrawal from every other one. */
type OrderedWithdrawal = Pick<Withdrawal, 'id' | 'to'> & {
  /** The ordered amount; null or absent: all funds. */
  readonly amount?: bigint | null;
};

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
  { id, to, by, reason, part, afterLoss }: WithdrawalOrder,
  mode: 'order' | 'check',
): Promise<WithdrawalAnswer> {
  const ofPart = part ? [String(part.amount), part.request, part.isCovered ? 1 : 0] : ['', '', 0];
  const args = [to, by, reason, mode, ...ofPart, id, afterLoss ?? ''];
  return (await runScript(redis, 'order-withdrawal', sponsor, ...args)) as WithdrawalAnswer;
}

/**
 * Takes coins for the ordered withdrawal: of all funds, one that pays the gas, then dust, then the others;
 * of an amount, the largest that cover its rest and the gas. Empty: the sponsor has no coins left. Null when
 * it may not begin now, because another operation or reservation has coins or the order has ended. Ends an
 * order from before the latest loss of Redis.
 */
export async function beginWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  request: OrderedWithdrawal & {
    maxCoins: number;
    /** Lease of the operation without a transaction. */
    leaseMs: number;
    /** Of one transaction, in the smallest unit; only an amount needs it. */
    gasBudget?: bigint;
  },
): Promise<{ operationId: string; coins: GasCoin[] } | null> {
  const operationId = randomUUID();
  const { id, to, amount, maxCoins, leaseMs, gasBudget = 0n } = request;
  const args = [operationId, to, maxCoins, leaseMs, textOf(amount), String(gasBudget), id];
  const reply = (await runScript(redis, 'begin-withdrawal', sponsor, ...args)) as string | null;
  return reply === null ? null : { operationId, coins: readCoinList(reply) };
}

/**
 * Records that the ledger has executed an operation of a withdrawal: its coins have left, except the
 * `remaining` ones. False when it was recorded before.
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

/**
 * Ends a withdrawal of which this is `left` of the amount; null or absent: of all funds. False when it is not
 * under way, an operation still has coins, or something else is left.
 */
export async function endWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  { id, to, amount, left }: OrderedWithdrawal & { readonly left?: bigint | null },
): Promise<boolean> {
  const args = [to, textOf(amount), id, textOf(left)];
  return (await runScript(redis, 'end-withdrawal', sponsor, ...args)) === 1;
}

function textOf(amount: bigint | null | undefined): string {
  return amount == null ? '' : String(amount);
}
