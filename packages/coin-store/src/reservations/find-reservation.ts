import type { FindReservationReply, ReservationState, Waiter } from '@forecourt/contracts';
import { readCoinList } from '../pool/coin-record.js';
import { mayLeaveDust, type PlacementRules } from '../pool/placement.js';
import { escapeText, readEscaped } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { writeWaiter } from './waiter-text.js';

/**
 * Shows a caller its reservation, without the balances, which stay inside the pool. The waiter will receive the
 * outcome of `digest` if that is in flight.
 */
export async function findReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  request: { reservationId: number; caller: string; digest: string; waiter: Waiter },
  rules: PlacementRules,
): Promise<FindReservationReply> {
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
  const [state, budget, , coinList, digest, fence, ...rest] = reply as [string, ...string[]];
  const [refusedDigest, refusedFence, refusal, durationMs] = rest;
  const coins = readCoinList(coinList ?? '');
  return {
    found: {
      reservationId: request.reservationId,
      sponsor,
      state: state as ReservationState,
      gasBudget: Number(budget),
      durationSecs: Number(durationMs) / 1_000,
      coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
      mayLeaveDust: mayLeaveDust(coins, Number(budget), rules),
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
