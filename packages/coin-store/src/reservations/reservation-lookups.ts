import type { FindReservationReply, ReservationState, Waiter } from '@forecourt/contracts';
import { mayLeaveDust, type PlacementRules, readCoinList } from '../pool/pool-coins.js';
import { writeWaiter } from './reservations.js';
import {
  type CoinStoreRedis,
  escapeText,
  readEscaped,
  runScript,
} from '../scripts/prepare-coin-store.js';

const PAGE = 100;
/** At most this many pages are searched: ten thousand transactions of each state. */
const MAX_PAGES = 100;

type Reply =
  | [tag: 'none' | 'foreign']
  | [
      tag: 'found',
      state: ReservationState,
      budget: string,
      durationMs: string,
      coins: string,
      digest: string,
      fence: string,
      refusedDigest?: string,
      refusedFence?: string,
      refusal?: string,
    ];

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
  const reply = (await runScript(
    redis,
    'find-reservation',
    sponsor,
    request.reservationId,
    escapeText(request.caller),
    escapeText(request.digest),
    writeWaiter(request.waiter),
  )) as Reply;
  if (reply[0] !== 'found') return { found: null, everHeld: reply[0] === 'foreign' };
  const [, state, budget, durationMs, coinList, digest, fence, ...refusal] = reply;
  const [refusedDigest, refusedFence, message = ''] = refusal;
  const coins = readCoinList(coinList);
  return {
    found: {
      reservationId: request.reservationId,
      sponsor,
      state,
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
            message: readEscaped(message),
          }
        : null,
    },
  };
}

/**
 * The reservation that a transaction was claimed for. Known for ten minutes beyond the reservation's deadline, and
 * as long as the transaction is in flight; null without a record of the digest.
 */
export async function findDigest(
  redis: CoinStoreRedis,
  sponsor: string,
  digest: string,
): Promise<number | null> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const args = [escapeText(digest), page * PAGE, PAGE];
    const reply = await runScript(redis, 'find-digest', sponsor, ...args);
    const [tag, reservationId] = reply as ['found' | 'more' | 'none', string];
    if (tag === 'found') return Number(reservationId);
    if (tag === 'none') return null;
  }
  return null;
}
