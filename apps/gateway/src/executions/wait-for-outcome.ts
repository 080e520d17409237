import { ForecourtError, type FoundReservation } from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import type { Effects, ExecuteParts, ExecuteRequest } from './execute-tx.js';
import type { OutcomeWatch } from './outcome-watchers.js';

/** Replies over pub/sub can be lost; this often the coin-pool is asked as well. */
const ASK_AGAIN_MS = 2_000;
const ASK_AGAIN_SOON_MS = 250;
/** What a client is asked to wait when its outcome is not known yet. */
const RETRY_AFTER_SECS = 2;

/**
 * Waits for what becomes of a bound transaction. `known`: where the reservation stands now.
 * Raises REFUSED_BY_LEDGER, RESERVATION_USED, OUTCOME_UNKNOWN.
 */
export async function waitForOutcome(
  parts: ExecuteParts,
  request: ExecuteRequest,
  watch: OutcomeWatch,
  known: FoundReservation,
  digest: string,
): Promise<Effects> {
  const { fence } = known;
  const deadline = performance.now() + parts.waitMs;
  let stands = known;
  for (;;) {
    const effects = await unlessUnreachable(effectsOf(parts, stands, digest, fence), null);
    if (effects) return effects;
    const left = Math.min(deadline, parts.answerBy()) - performance.now();
    if (left <= 0) break;
    const pause = stands.state === 'executed' ? ASK_AGAIN_SOON_MS : ASK_AGAIN_MS;
    const heard = await watch.next(fence, request.requestType, Math.min(left, pause));
    if (heard?.kind === 'refused') throw new ForecourtError('REFUSED_BY_LEDGER', heard.message);
    if (heard?.kind === 'executed') return heard.effects;
    stands = await unlessUnreachable(askAgain(parts, request, digest, stands), stands);
  }
  const late = watch.effects();
  if (late) return late;
  throw new ForecourtError('OUTCOME_UNKNOWN', digest, { retryAfterSecs: RETRY_AFTER_SECS });
}

/** What cannot be reached now says nothing about the transaction: the wait goes on. */
async function unlessUnreachable<T>(question: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await question;
  } catch (error) {
    const code = error instanceof ForecourtError ? error.code : null;
    const isUnreachable =
      code === 'STORE_UNREACHABLE' ||
      code === 'LEDGER_UNREACHABLE' ||
      error instanceof LedgerUnreachable;
    if (isUnreachable) return otherwise;
    throw error;
  }
}

/** What the reservation's own state tells; null while it tells nothing. */
async function effectsOf(
  { ledger, enqueue }: ExecuteParts,
  stands: FoundReservation,
  digest: string,
  fence: number,
): Promise<Effects | null> {
  const { state, refusal } = stands;
  const id = String(stands.reservationId);
  if (state === 'claimed') {
    // Whoever claimed it may have died before this; it is one job however often it is done.
    await enqueue.run({ ...stands, digest });
    return null;
  }
  if (state === 'executing') return null;
  if (state === 'executed' && stands.digest === digest) {
    return (await ledger.findTransaction(digest))?.effects ?? null;
  }
  if (refusal && refusal.digest === digest && refusal.fence === fence) {
    throw new ForecourtError('REFUSED_BY_LEDGER', refusal.message);
  }
  if (stands.digest !== null && stands.digest !== digest) {
    throw new ForecourtError('RESERVATION_USED', id);
  }
  if (state === 'expired') throw new ForecourtError('RESERVATION_EXPIRED', id);
  throw new ForecourtError('OUTCOME_UNKNOWN', digest, { retryAfterSecs: RETRY_AFTER_SECS });
}

async function askAgain(
  { coinPool, gateway }: ExecuteParts,
  { caller, reservationId, requestType }: ExecuteRequest,
  digest: string,
  before: FoundReservation,
): Promise<FoundReservation> {
  const waiter = { gateway, requestType };
  const { found } = await coinPool.findReservation({
    caller: caller.name,
    reservationId,
    digest,
    waiter,
  });
  return found ?? before;
}
