import type { Waiter } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { writeCoinArguments } from '../pool/coin-record.js';
import type { PlacementRules } from '../pool/placement.js';
import { readWaiters } from '../reservations/waiter-text.js';
import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * executing or quarantined → available: the outcome of the transaction is final.
 * `returned`: the reservation's coins that are still the sponsor's, as they are now; the others leave the pool.
 * `outcome`: `refused` ends a transaction that can never land, out of quarantine.
 * `settled` is false when it was settled before.
 */
export async function settleExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  settlement: {
    reservationId: number;
    digest: string;
    outcome: 'executed' | 'refused';
    returned: readonly GasCoin[];
    rules: PlacementRules;
    /** How long the outcome answers retries. */
    retentionMs: number;
    /** In the smallest unit; negative when the rebate exceeded the cost. */
    gasCharged: bigint;
    /** The sponsor's cost, which limits on gas count, in the smallest unit: 0 or more. */
    cost: bigint;
  },
): Promise<{ settled: boolean; waiters: Waiter[] }> {
  const reply = (await runOnPool(
    redis,
    'settle-execution',
    sponsor,
    settlement.reservationId,
    escapeText(settlement.digest),
    settlement.outcome,
    settlement.retentionMs,
    String(settlement.gasCharged),
    String(settlement.cost),
    ...writeCoinArguments(settlement.returned, settlement.rules),
  )) as string | null;
  return { settled: reply !== null, waiters: readWaiters(reply ?? '') };
}
