import {
  escapeText,
  type ExecutionReply,
  executionReplyChannel,
  type SettledResult,
  type Waiter,
} from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import type { PlacementRules } from '../pool/placement-rules.js';
import { writeCoins } from '../pool/stored-coins.js';
import { readWaiters } from '../reservations/waiters.js';
import { type CoinStoreRedis, listOf, recordsOf, runScript } from '../scripts/run-script.js';

/**
 * Coins that the ledger has at later versions than these, by transactions that the pool does not know: they
 * are withheld until a coin-pool has counted those (`renewCoin`).
 */
export interface WithheldCoins {
  readonly coins: readonly GasCoin[];
  /** The present one. */
  readonly epoch: bigint;
}

/** The final outcome of an execution. */
export interface Settlement {
  readonly reservationId: number;
  readonly digest: string;
  /**
   * `refused` ends a transaction that can never land, out of quarantine. `unmoved`: the same, with unchanged
   * coins; it settles nothing once the sponsor's own transaction is recorded, which may still move them.
   */
  readonly outcome: 'executed' | 'refused' | 'unmoved';
  /**
   * The reservation's coins that are still the sponsor's, at their current versions; the others leave the
   * pool.
   */
  readonly returned: readonly GasCoin[];
  readonly withheld?: WithheldCoins | null;
  readonly rules: PlacementRules;
  /** Retention of the outcome, which answers retries. */
  readonly retentionMs: number;
  /** In the smallest unit; negative when the rebate exceeded the cost. */
  readonly gasCharged: bigint;
  /** The sponsor's cost, which gas limits count, in the smallest unit: 0 or more. */
  readonly cost: bigint;
  /** The charged gas, for history; absent or null: none was charged. */
  readonly result?: SettledResult | null;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
  /** The message to the waiters, sent in the same step. */
  readonly reply?: ExecutionReply;
}

export interface Settled {
  /** False when it was settled before, or cannot be as `unmoved`. */
  readonly settled: boolean;
  readonly waiters: readonly Waiter[];
}

/**
 * executing or quarantined → available: the outcomes of the transactions are final. Returns an `Error` for
 * each one that cannot be settled because its stored state is invalid.
 */
export async function settleExecutions(
  redis: CoinStoreRedis,
  sponsor: string,
  settlements: readonly Settlement[],
): Promise<(Settled | Error)[]> {
  const replies = await runScript(
    redis,
    'settle-execution',
    sponsor,
    executionReplyChannel(''),
    ...settlements.flatMap(writeSettlement),
  );
  return (replies as SettleReply[]).map(readSettled);
}

function writeSettlement(settlement: Settlement): (string | number)[] {
  const { reply, result, returned, rules, withheld, submissions = [] } = settlement;
  return [
    ...recordsOf(writeCoins(returned, rules)),
    ...recordsOf(writeCoins(withheld?.coins ?? [], rules)),
    ...listOf(submissions),
    settlement.reservationId,
    escapeText(settlement.digest),
    settlement.outcome,
    settlement.retentionMs,
    String(settlement.gasCharged),
    String(settlement.cost),
    result ? JSON.stringify(result) : '',
    reply ? JSON.stringify(reply) : '',
    String(withheld?.epoch ?? ''),
  ];
}

type SettleReply =
  [tag: 'passed'] | [tag: 'settled', waiters: string] | [tag: 'failed', message: string];

function readSettled(reply: SettleReply): Settled | Error {
  if (reply[0] === 'failed') return new Error(reply[1]);
  return reply[0] === 'settled'
    ? { settled: true, waiters: readWaiters(reply[1]) }
    : { settled: false, waiters: [] };
}
