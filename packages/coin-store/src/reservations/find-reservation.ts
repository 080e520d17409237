import type { ReservationRecord, ReservationState, Waiter } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { readCoinList } from '../pool/coin-record.js';
import { escapeText, readEscaped } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { writeWaiter } from './waiter-text.js';

/** A reservation with what stays inside the pool. */
export interface StoredReservation extends ReservationRecord {
  readonly coins: readonly GasCoin[];
  readonly deadlineMs: number;
}

export type FindResult =
  { readonly found: StoredReservation } | { readonly found: null; readonly everHeld: boolean };

/** Shows a caller its reservation; the waiter will hear of `digest` if that is in flight. */
export async function findReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  request: { reservationId: number; caller: string; digest: string; waiter: Waiter },
): Promise<FindResult> {
  const reply = (await runOnPool(
    redis,
    'find-reservation',
    sponsor,
    request.reservationId,
    escapeText(request.caller),
    escapeText(request.digest),
    writeWaiter(request.waiter),
  )) as string[] | 'foreign' | null;
  if (reply === null) return { found: null, everHeld: false };
  if (reply === 'foreign') return { found: null, everHeld: true };
  const [state, budget, deadline, coins, digest, fence, ...rest] = reply as [string, ...string[]];
  const [refusedDigest, refusedFence, refusal, durationMs] = rest;
  return {
    found: {
      reservationId: request.reservationId,
      sponsor,
      state: state as ReservationState,
      gasBudget: Number(budget),
      durationSecs: Number(durationMs) / 1_000,
      coins: readCoinList(coins ?? ''),
      deadlineMs: Number(deadline),
      digest: digest ? readEscaped(digest) : null,
      fence: Number(fence),
      refusal: refusedDigest
        ? {
            digest: readEscaped(refusedDigest),
            fence: Number(refusedFence),
            message: readEscaped(refusal ?? ''),
          }
        : null,
    },
  };
}
