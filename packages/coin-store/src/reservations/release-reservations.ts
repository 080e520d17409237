import { escapeText } from '@forecourt/contracts';
import { type CoinStoreRedis, runScript } from '../scripts/run-script.js';

/** Longer than the lag of any node's listing. */
const REMEMBER_GONE_MS = 60 * 60 * 1000;

/** reserved → available at the caller's request. False when this caller has no such unused reservation. */
export async function releaseReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  request: { reservationId: number; caller: string; retentionMs: number },
): Promise<boolean> {
  const { reservationId, caller, retentionMs } = request;
  const args = [reservationId, escapeText(caller), retentionMs];
  return (await runScript(redis, 'release-reservation', sponsor, ...args)) === 1;
}

/** reserved → available for reservations past their deadline. Returns their number, at most `limit`. */
export async function expireReservations(
  redis: CoinStoreRedis,
  sponsor: string,
  { limit, retentionMs }: { limit: number; retentionMs: number },
): Promise<number> {
  const args = [limit, retentionMs, REMEMBER_GONE_MS];
  return Number(await runScript(redis, 'expire-reservations', sponsor, ...args));
}

/**
 * claimed → reserved (or available past the deadline). For an orphaned claim: the caller has made sure that
 * it has no job. `begun`: its transaction may have been signed, on another server of Redis. `changed`: the
 * claim has changed, or its lease is not over.
 */
export async function releaseClaim(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: { reservationId: number; fence: number; retentionMs: number },
): Promise<'released' | 'begun' | 'changed'> {
  const { reservationId, fence, retentionMs } = claim;
  const args = [reservationId, fence, retentionMs];
  const reply = await runScript(redis, 'release-claim', sponsor, ...args);
  if (reply === 'begun') return reply;
  return reply === 1 ? 'released' : 'changed';
}
