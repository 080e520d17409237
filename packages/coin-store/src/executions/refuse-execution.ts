import type { Waiter } from '@forecourt/contracts';
import { readWaiters } from '../reservations/waiter-text.js';
import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * executing → reserved until the deadline, available after it: the ledger refused the transaction and no validator
 * can hold its coins. `refused` is false when the claim has changed, or a second executor has begun it: the first
 * one then cannot rule out another submission.
 */
export async function refuseExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  refusal: {
    reservationId: number;
    digest: string;
    fence: number;
    /** The ledger's own text. */
    message: string;
    retentionMs: number;
  },
): Promise<{ refused: boolean; waiters: Waiter[] }> {
  const reply = (await runOnPool(
    redis,
    'refuse-execution',
    sponsor,
    refusal.reservationId,
    escapeText(refusal.digest),
    refusal.fence,
    escapeText(refusal.message),
    refusal.retentionMs,
  )) as string | null;
  return { refused: reply !== null, waiters: readWaiters(reply ?? '') };
}
