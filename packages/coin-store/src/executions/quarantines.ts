import { escapeText, readEscaped, type Waiter } from '@forecourt/contracts';
import { type BegunClaim, writeClaimName } from '../reservations/claim-names.js';
import { readWaiters } from '../reservations/waiters.js';
import { type CoinStoreRedis, listOf, runScript } from '../scripts/run-script.js';

/** More of a caller's quarantines cannot count. */
const MOST_QUARANTINES = 1_000;

/** A transaction that was not executed so far, but may still be. */
export interface QuarantineRequest extends BegunClaim {
  /** The ledger's own text; empty: no node reported the outcome. */
  readonly message: string;
  /** The ledger's epoch when it was last submitted. */
  readonly epoch: bigint;
  /** Digest of the sponsor's own transaction that is about to move the coins on. */
  readonly movedOnBy?: string;
  /** The caller cannot have caused the refusal, so it does not count against the caller’s limit. */
  readonly isExcused?: boolean;
  /** How long ago each submission was made that history does not know yet, in ms. */
  readonly submissions?: readonly number[];
}

/**
 * executing → quarantined: validators may hold the coins for the transaction. `quarantined` is false when it
 * was quarantined before (its epoch and `movedOnBy` are then renewed), or the claim has changed. `isCurrent`:
 * the claim has not changed, so that its coins are still bound to it.
 */
export async function quarantineExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  request: QuarantineRequest,
): Promise<{ quarantined: boolean; isCurrent: boolean }> {
  const { message, epoch, movedOnBy = '', isExcused = false, submissions = [] } = request;
  const args = [
    ...writeClaimName(request),
    escapeText(message),
    String(epoch),
    escapeText(movedOnBy),
    Number(isExcused),
    ...listOf(submissions),
  ];
  const reply = await runScript(redis, 'quarantine-execution', sponsor, ...args);
  return { quarantined: reply === 'quarantined', isCurrent: reply !== 'gone' };
}

/**
 * Records that a quarantined transaction can never be executed: its callers may have the refusal, and its
 * inputs are free. The coins stay bound. Null when the claim has changed or this was recorded before;
 * otherwise the waiters for the outcome.
 */
export async function excludeExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: BegunClaim,
): Promise<Waiter[] | null> {
  const reply = await runScript(redis, 'exclude-execution', sponsor, ...writeClaimName(claim));
  return reply === null ? null : readWaiters(reply as string);
}

/** How long ago each quarantine of a pool began that counts against its caller, in ms, by caller. */
export async function listQuarantines(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<Map<string, number[]>> {
  const listed = await runScript(redis, 'list-quarantines', sponsor, MOST_QUARANTINES);
  const byCaller = (listed as [caller: string, ages: number[]][]).filter(([, ages]) => ages.length);
  return new Map(byCaller.map(([caller, ages]) => [readEscaped(caller), ages]));
}
