import { escapeText, type Waiter } from '@forecourt/contracts';
import { type BegunClaim, writeClaimName } from '../reservations/claim-names.js';
import { readWaiters } from '../reservations/waiters.js';
import { type CoinStoreRedis, listOf, runScript } from '../scripts/run-script.js';

/** A transaction that the ledger refused. */
export interface Refusal extends BegunClaim {
  /** The ledger's own text. */
  readonly message: string;
  readonly retentionMs: number;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
}

/**
 * executing → reserved until the deadline, available after it: the ledger refused the transaction and no
 * validator can hold its coins. `refused` is false when the claim has changed, or a second executor has begun
 * it: the first one then cannot rule out another submission.
 */
export async function refuseExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  refusal: Refusal,
): Promise<{ refused: boolean; waiters: Waiter[] }> {
  const { message, retentionMs, submissions = [] } = refusal;
  const named = writeClaimName(refusal);
  const args = [...named, escapeText(message), retentionMs, ...listOf(submissions)];
  const reply = (await runScript(redis, 'refuse-execution', sponsor, ...args)) as string | null;
  return { refused: reply !== null, waiters: readWaiters(reply ?? '') };
}

/** Submissions of an executor, and their end. */
export interface UnknownOutcome {
  /** When every submission had ended; null: they go on, or no node reports it. */
  readonly epoch: bigint | null;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
}

/**
 * Records submissions for history. With an epoch: every submission by this executor has ended, and the
 * outcome is unknown. Changes nothing when the claim has changed, or when another executor has begun it
 * since.
 */
export async function noteUnknown(
  redis: CoinStoreRedis,
  sponsor: string,
  executor: string,
  claim: BegunClaim,
  { epoch, submissions = [] }: UnknownOutcome,
): Promise<void> {
  const named = [...writeClaimName(claim), escapeText(executor)];
  const args = [...named, epoch === null ? '' : String(epoch), ...listOf(submissions)];
  await runScript(redis, 'note-unknown', sponsor, ...args);
}

/**
 * executing → claimed: the sponsor's key cannot sign at the moment, and this executor has submitted nothing.
 * A claim that another executor has begun too stays as it is. Returns the waiters; null when the claim has
 * changed.
 */
export async function deferExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  executor: string,
  claim: BegunClaim,
): Promise<readonly Waiter[] | null> {
  const args = [...writeClaimName(claim), escapeText(executor)];
  const reply = (await runScript(redis, 'defer-execution', sponsor, ...args)) as string | null;
  return reply === null ? null : readWaiters(reply);
}
