import type { ReservationLimits, ExpectedUsage } from '@forecourt/contracts';
import { only } from '@forecourt/testing/redis';
import { expect } from '@jest/globals';
import { retentionMs, waiter } from '../../pool.test-support.js';
import {
  COUNTER,
  FREE,
  LIMITED,
  MESSAGE,
  type ModelReservation,
} from './model-reservation.test-support.js';
import type { PoolBooks } from './pool-books.test-support.js';
import { claimReservations } from '../../reservations/claim-reservations.js';
import { expireReservations, releaseReservation } from '../../reservations/release-reservations.js';
import { MAX_COINS_PER_RESERVATION, reserveGas } from '../../reservations/reserve-gas.js';

const NO_LIMIT = 10n ** 24n;
const FAR_LIMITS: ReservationLimits = {
  coins: 1_000,
  budget: 1e15,
  coinsPerMinute: 100_000,
  budgetPerMinute: null,
  poolShare: 100,
  unusedPerMinute: null,
};

export async function reserve(books: PoolBooks, pick: number, variant: number): Promise<void> {
  const { redis } = books.store;
  const budgets = [10_000, 300_000, 2_500_000, 7_000_000, 2 ** 53 - 1];
  const requests = Array.from({ length: 1 + (pick % 6) }, (_, index) => ({
    caller: (variant + index) % 5 === 0 ? LIMITED : FREE,
    gasBudget: budgets[(variant + (index % 4 === 3 ? index : 0)) % budgets.length]!,
    durationMs: (pick + index) % 7 === 0 ? 0 : 60_000,
    ...((variant + index) % 5 === 0 && { limits: FAR_LIMITS }),
  }));
  const replies = await reserveGas(redis, books.sponsor, requests);
  expect(replies).toHaveLength(requests.length);
  for (const [index, reply] of replies.entries()) {
    const { caller, gasBudget, durationMs, limits } = requests[index]!;
    const budget = BigInt(gasBudget);
    const available = books.inState('available');
    if (limits && gasBudget > FAR_LIMITS.budget!) {
      expect(reply).toEqual({ usedUp: 'budget', endsInMs: 0 });
      continue;
    }
    if (reply === null) {
      const sum = available.reduce((total, { balance }) => total + balance, 0n);
      expect(sum < budget || available.length > MAX_COINS_PER_RESERVATION).toBe(true);
      continue;
    }
    if ('usedUp' in reply) throw new Error(`used up: ${reply.usedUp}`);
    const { reservationId: id, coins } = reply;
    expect(books.reservations.every((before) => before.id < id)).toBe(true);
    expect(coins.reduce((sum, { balance }) => sum + balance, 0n)).toBeGreaterThanOrEqual(budget);
    for (const coin of coins) {
      expect(available).toContainEqual({ ...coin, state: 'available', holder: null });
    }
    if (available.some(({ balance }) => balance >= budget * 2n)) expect(coins).toHaveLength(1);
    books.hold(coins, 'reserved', String(id));
    books.reservations.push({
      id,
      caller,
      budget: gasBudget,
      isCounted: limits !== undefined,
      coins,
      state: 'reserved',
      isOverdue: durationMs === 0,
      fence: 0,
      digest: null,
      lastDigest: '',
      isLeaseOver: false,
      isResumed: false,
      isDeferred: false,
      held: 0n,
      input: null,
      refusal: null,
      quarantine: null,
    });
    books.count('reserve');
  }
}

export async function claim(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
  variant: number,
): Promise<void> {
  if (!one) return;
  const digest = `D${pick % 2}\t`;
  const input = variant % 3 === 0 ? `0x${variant % 4}:1` : null;
  const amount = variant % 2 ? BigInt(one.budget) : 0n;
  const usage: ExpectedUsage = {
    counter: COUNTER,
    counts: 'gas',
    amount: String(amount),
    operator: '<=',
    limit: String(NO_LIMIT),
    windowMs: 600_000,
    expected: true,
    held: true,
  };
  const leaseMs = variant % 2 === 0 ? 0 : 60_000;
  const result = await only(
    claimReservations(books.store.redis, books.sponsor, [
      {
        reservationId: one.id,
        caller: one.caller,
        digest,
        leaseMs,
        waiter: { ...waiter, gateway: `gw-${variant % 3}` },
        txBytes: 'AAAA',
        userSig: 'BB==',
        rule: MESSAGE,
        inputs: input ? [input] : [],
        usage: amount > 0n ? [usage] : [],
      },
    ]),
  );
  if (one.state === 'expired' || one.state === 'released') {
    return expect(result).toEqual({ result: 'expired' });
  }
  if (one.state !== 'reserved') {
    return expect(result).toEqual({ result: one.digest === digest ? 'known' : 'used' });
  }
  if (one.isOverdue) return expect(result).toEqual({ result: 'expired' });
  const holder = books.reservations.find((other) => input && other.input === input);
  if (holder) return expect(result).toMatchObject({ result: 'locked', input });
  one.fence += 1;
  expect(result).toEqual({ result: 'claimed', fence: one.fence });
  Object.assign(one, {
    state: 'claimed',
    digest,
    lastDigest: digest,
    input,
    held: amount,
    refusal: null,
  });
  Object.assign(one, { isLeaseOver: leaseMs === 0, isResumed: false, isDeferred: false });
  one.quarantine = null;
  books.usedWithin ||= amount > 0n;
  books.used += amount;
  books.hold(one.coins, 'claimed', String(one.id));
  books.count('claim');
}

export async function release(
  books: PoolBooks,
  one: ModelReservation | undefined,
  pick: number,
): Promise<void> {
  if (!one) return;
  const caller = pick % 8 === 0 ? 'nobody' : one.caller;
  const request = { reservationId: one.id, caller, retentionMs };
  const isRight = one.state === 'reserved' && caller === one.caller;
  expect(await releaseReservation(books.store.redis, books.sponsor, request)).toBe(isRight);
  if (!isRight) return;
  books.endUnused(one, 'released');
  books.count('release');
}

export async function expire(books: PoolBooks, limit: number): Promise<void> {
  const due = books.reservations.filter(
    ({ state, isOverdue }) => state === 'reserved' && isOverdue,
  );
  let left = due.length;
  do {
    const expired = await expireReservations(books.store.redis, books.sponsor, {
      limit,
      retentionMs,
    });
    expect(expired).toBe(Math.min(limit, left));
    left -= expired;
  } while (left > 0);
  for (const one of due) books.endUnused(one, 'expired');
  books.count('expire', due.length);
}

/** Lets a reservation's time pass: moves its stored deadline into the past. */
export async function passDeadline(
  books: PoolBooks,
  one: ModelReservation | undefined,
): Promise<void> {
  if (!one || one.isOverdue || ['executed', 'expired', 'released'].includes(one.state)) return;
  const { redis } = books.store;
  const record = books.key(`reservation:${one.id}`);
  const [first, second, ...rest] = (await redis.get(record))!.split('\n');
  const parts = second!.split('\t');
  parts[2] = '1000';
  await redis.set(record, [first, parts.join('\t'), ...rest].join('\n'));
  if (one.state === 'reserved') await redis.zadd(books.key('reserved'), 1_000, String(one.id));
  one.isOverdue = true;
}
