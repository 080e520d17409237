import { parseTotals, type PoolTotals } from '../pool/read-pool-totals.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** The owner of the lead, and the ages at which work is due. */
export interface Lead {
  readonly owner: string;
  /** Duration of the lead unless it is renewed. */
  readonly leaseMs: number;
  /** Executions that no executor has begun or resumed for this long are due. */
  readonly requeueAfterMs: number;
  /** Retention of gone coins. */
  readonly retentionMs: number;
}

/** The due work of a pool's upkeep, at one instant. */
export interface DueUpkeep {
  /** Remaining duration of the suspension: 0 when it may be ended, null when the pool is not suspended. */
  readonly suspendedMs: number | null;
  /** Until the first reservation expires: 0 when it is past its deadline, null when there is no reservation. */
  readonly expiryMs: number | null;
  readonly goneCoins: number;
  readonly overdueClaims: number;
  readonly overdueExecutions: number;
  readonly overdueMaintenance: number;
  /** Inputs whose transactions have ended, and that are still locked. */
  readonly endedLocks: number;
  readonly isDrained: boolean;
  /** A withdrawal is under way. */
  readonly isWithdrawing: boolean;
  /** As many coins are in some state as the pool has; otherwise Redis has lost keys. */
  readonly isWhole: boolean;
  readonly totals: PoolTotals;
}

type Reply = [
  suspendedMs: number,
  expiryMs: number,
  goneCoins: number,
  overdueClaims: number,
  overdueExecutions: number,
  overdueMaintenance: number,
  endedLocks: number,
  isDrained: number,
  isWithdrawing: number,
  isWhole: number,
  counters: (string | number)[],
];

/**
 * Takes the lead of a pool, or renews it for its owner, and tells what there is to do; null when another owner leads. Two
 * owners may believe that they lead for a moment, so what leaders do must tolerate running twice.
 */
export async function takeLead(
  redis: CoinStoreRedis,
  sponsor: string,
  { owner, leaseMs, requeueAfterMs, retentionMs }: Lead,
): Promise<DueUpkeep | null> {
  const args = [owner, leaseMs, requeueAfterMs, retentionMs];
  const reply = (await runOnPool(redis, 'take-lead', sponsor, ...args)) as Reply | [];
  if (reply.length === 0) return null;
  const [suspendedMs, expiryMs, goneCoins, overdueClaims, overdueExecutions, ...rest] = reply;
  const [overdueMaintenance, endedLocks, isDrained, isWithdrawing, isWhole, counters] = rest;
  return {
    suspendedMs: suspendedMs < 0 ? null : suspendedMs,
    expiryMs: expiryMs < 0 ? null : expiryMs,
    goneCoins,
    overdueClaims,
    overdueExecutions,
    overdueMaintenance,
    endedLocks,
    isDrained: isDrained === 1,
    isWithdrawing: isWithdrawing === 1,
    isWhole: isWhole === 1,
    totals: parseTotals(counters),
  };
}
