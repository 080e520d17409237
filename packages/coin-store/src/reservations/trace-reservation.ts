import type { ReservationState, ReservationTrace } from '@forecourt/contracts';
import { readCoinList } from '../pool/coin-record.js';
import { readEscaped } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { readUsages } from './read-usages.js';
import { readWaiters } from './waiter-text.js';

/** Offsets of each line's fields in the reply of `lua/trace-reservation.lua`. */
const [RESERVED, CLAIM, REFUSAL] = [5, 13, 21] as const;

/** The whole stored state of a reservation of any caller; null without a record. */
export async function traceReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  reservationId: number,
): Promise<ReservationTrace | null> {
  const reply = await runOnPool(redis, 'trace-reservation', sponsor, reservationId);
  if (reply === null) return null;
  const fields = (reply as (string | number)[]).map(String);
  const [now, keptForMs, state, fence, begun] = fields as [string, ...string[]];
  const [caller, budget, deadline, duration, , , , coins] = fields.slice(RESERVED, CLAIM);
  const [digest, lease, rule, waiters, holds, , executor, resumed] = fields.slice(CLAIM, REFUSAL);
  const deadlineMs = Number(deadline);
  const isOverdue = state === 'reserved' && deadlineMs <= Number(now);
  return {
    reservationId,
    sponsor,
    caller: readEscaped(caller!),
    state: (isOverdue ? 'expired' : state) as ReservationState,
    gasBudget: Number(budget),
    durationSecs: Number(duration) / 1_000,
    deadlineMs,
    coins: readCoinList(coins!).map(({ objectId, version, digest }) => {
      return { objectId, version, digest };
    }),
    digest: digest ? readEscaped(digest) : null,
    fence: Number(fence),
    leaseEndsMs: state === 'claimed' ? Number(lease) : null,
    begunMs: begun ? Number(begun) : null,
    executor: executor ? readEscaped(executor) : null,
    isResumed: resumed !== '',
    rule: rule ? readEscaped(rule) : null,
    waiters: readWaiters(waiters!).length,
    usage: await readHeld(redis, sponsor, holds!),
    refusal: readRefusal(fields.slice(REFUSAL)),
    keptForMs: Number(keptForMs) < 0 ? null : Number(keptForMs),
  };
}

/** `holds`: counter|kind|window|amount,…, as `lua/includes/usage.lua` writes it. */
async function readHeld(
  redis: CoinStoreRedis,
  sponsor: string,
  holds: string,
): Promise<ReservationTrace['usage']> {
  if (holds === '') return [];
  const held = holds.split(',').map((one) => {
    const [counter = '', counts = '', , amount = ''] = one.split('|');
    return { counter: readEscaped(counter), counts, amount };
  });
  const counters = held.map(({ counter }) => counter);
  const usages = await readUsages(redis, sponsor, counters);
  return held.map((one, index) => ({ ...one, used: usages[index]!.used }));
}

function readRefusal(fields: readonly string[]): ReservationTrace['refusal'] {
  const [digest, , message, epoch, movedOnBy] = fields;
  if (!digest) return null;
  return {
    digest: readEscaped(digest),
    message: readEscaped(message!),
    epoch: epoch ? Number(epoch) : null,
    movedOnBy: movedOnBy ? readEscaped(movedOnBy) : null,
  };
}
