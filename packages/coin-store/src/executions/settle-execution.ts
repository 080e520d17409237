import { type ExecutionReply, executionReplyChannel, type Waiter } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { writeCoinArguments } from '../pool/coin-record.js';
import type { PlacementRules } from '../pool/placement.js';
import { readWaiters } from '../reservations/waiter-text.js';
import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** The final outcome of an execution. */
export interface Settlement {
  readonly reservationId: number;
  readonly digest: string;
  /**
   * `refused` ends a transaction that can never land, out of quarantine. `unmoved`: the same, and its coins are as they were;
   * nothing is settled once the sponsor's own transaction is noted, which may move them yet.
   */
  readonly outcome: 'executed' | 'refused' | 'unmoved';
  /** The reservation's coins that are still the sponsor's, as they are now; the others leave the pool. */
  readonly returned: readonly GasCoin[];
  readonly rules: PlacementRules;
  /** How long the outcome answers retries. */
  readonly retentionMs: number;
  /** In the smallest unit; negative when the rebate exceeded the cost. */
  readonly gasCharged: bigint;
  /** The sponsor's cost, which limits on gas count, in the smallest unit: 0 or more. */
  readonly cost: bigint;
  /** What the waiters are told, in the same step. */
  readonly reply?: ExecutionReply;
}

export interface Settled {
  /** False when it was settled before, or cannot be as `unmoved`. */
  readonly settled: boolean;
  readonly waiters: readonly Waiter[];
}

/** executing or quarantined → available: the outcome of the transaction is final. */
export async function settleExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  settlement: Settlement,
): Promise<Settled> {
  const [settled] = await settleExecutions(redis, sponsor, [settlement]);
  if (settled instanceof Error) throw settled;
  return settled!;
}

/** The same for several in one call. An `Error` in place of one that cannot be settled: its stored state is invalid. */
export async function settleExecutions(
  redis: CoinStoreRedis,
  sponsor: string,
  settlements: readonly Settlement[],
): Promise<(Settled | Error)[]> {
  const replies = (await runOnPool(
    redis,
    'settle-execution',
    sponsor,
    executionReplyChannel(''),
    ...settlements.flatMap(writeSettlement),
  )) as (string | null | [failed: string, message: string])[];
  return replies.map((reply) =>
    Array.isArray(reply)
      ? new Error(reply[1])
      : { settled: reply !== null, waiters: readWaiters(reply ?? '') },
  );
}

function writeSettlement(settlement: Settlement): (string | number)[] {
  const { reply, returned, rules } = settlement;
  return [
    settlement.reservationId,
    escapeText(settlement.digest),
    settlement.outcome,
    settlement.retentionMs,
    String(settlement.gasCharged),
    String(settlement.cost),
    reply ? JSON.stringify(reply) : '',
    returned.length,
    ...writeCoinArguments(returned, rules),
  ];
}
