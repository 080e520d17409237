import type { Waiter } from '@forecourt/contracts';
import { type BegunClaim, readWaiters, writeClaimName } from '../reservations/in-flight.js';
import { type CoinStoreRedis, escapeText, runScript } from '../scripts/prepare-coin-store.js';

/** A transaction that the ledger refused. */
export interface Refusal extends BegunClaim {
  /** The ledger's own text. */
  readonly message: string;
  readonly retentionMs: number;
}

/**
 * executing → reserved until the deadline, available after it: the ledger refused the transaction and no validator
 * can hold its coins. `refused` is false when the claim has changed, or a second executor has begun it: the first
 * one then cannot rule out another submission.
 */
export async function refuseExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  refusal: Refusal,
): Promise<{ refused: boolean; waiters: Waiter[] }> {
  const args = [...writeClaimName(refusal), escapeText(refusal.message), refusal.retentionMs];
  const reply = (await runScript(redis, 'refuse-execution', sponsor, ...args)) as string | null;
  return { refused: reply !== null, waiters: readWaiters(reply ?? '') };
}

/**
 * Records that every submission by this executor has ended in `epoch` at the latest, and that the outcome is
 * unknown. Changes nothing when the claim has changed, or when another executor has begun it since.
 */
export async function noteUnknown(
  redis: CoinStoreRedis,
  sponsor: string,
  executor: string,
  claim: BegunClaim,
  epoch: bigint,
): Promise<void> {
  const args = [...writeClaimName(claim), escapeText(executor), String(epoch)];
  await runScript(redis, 'note-unknown', sponsor, ...args);
}
