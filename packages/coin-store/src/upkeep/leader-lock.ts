import { parseTotals, type PoolTotals } from '../pool/pool-totals.js';
import { type CoinStoreRedis, fieldsOf, runScript } from '../scripts/run-script.js';

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
  /**
   * Until the first reservation expires: 0 when it is past its deadline, null when there is no reservation.
   */
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

/**
 * Takes the lead of a pool, or renews it for its owner, and tells what there is to do; null when another
 * owner leads. Two owners may believe that they lead for a moment, so what leaders do must tolerate running
 * twice.
 */
export async function takeLead(
  redis: CoinStoreRedis,
  sponsor: string,
  { owner, leaseMs, requeueAfterMs, retentionMs }: Lead,
): Promise<DueUpkeep | null> {
  const args = [owner, leaseMs, requeueAfterMs, retentionMs];
  const reply = (await runScript(redis, 'take-lead', sponsor, ...args)) as (string | number)[][];
  const [due, counters] = reply;
  if (!due || !counters) return null;
  const field = fieldsOf(due);
  const number = (name: string) => Number(field(name));
  const whenSet = (name: string) => (number(name) < 0 ? null : number(name));
  const is = (name: string) => number(name) === 1;
  return {
    suspendedMs: whenSet('suspendedMs'),
    expiryMs: whenSet('expiryMs'),
    goneCoins: number('goneCoins'),
    overdueClaims: number('overdueClaims'),
    overdueExecutions: number('overdueExecutions'),
    overdueMaintenance: number('overdueMaintenance'),
    endedLocks: number('endedLocks'),
    isDrained: is('isDrained'),
    isWithdrawing: is('isWithdrawing'),
    isWhole: is('isWhole'),
    totals: parseTotals(counters),
  };
}

/** Ends the lead of a pool, so that another process can take it at once; false when `owner` does not lead. */
export async function releaseLead(
  redis: CoinStoreRedis,
  sponsor: string,
  owner: string,
): Promise<boolean> {
  return (await runScript(redis, 'release-lead', sponsor, owner)) === 1;
}
