import { expect } from '@jest/globals';
import { drainSponsor, undrainSponsor } from '../drains.js';
import type { PoolBooks } from './pool-books.test-support.js';
import { beginWithdrawal, finishWithdrawal, orderWithdrawal } from '../../upkeep/withdrawals.js';

const to = `0x${'c0'.repeat(32)}`;
const IN_FLIGHT = ['reserved', 'claimed', 'executing', 'quarantined', 'maintenance'] as const;

/** Some coins leave a pool without open work; otherwise the withdrawal is refused, and nothing changes. */
export async function withdraw(books: PoolBooks, variant: number): Promise<void> {
  const { sponsor, store } = books;
  const { redis } = store;
  await drainSponsor(redis, sponsor, { reason: 'a', by: 'b', since: 1 });
  const isIdle = IN_FLIGHT.every((state) => books.inState(state).length === 0);
  // A repeated order for a withdrawal that has taken everything refers to the ended one.
  const hasEnded =
    books.placed.size === 0 && Boolean(await redis.hget(books.key('withdrawal'), 'ended'));
  const answer = await orderWithdrawal(redis, sponsor, { to, by: 'b', reason: 'a' });
  expect(answer).toBe(isIdle ? 'ordered' : 'in flight');
  const request = { to, maxCoins: 1 + (variant % 3), leaseMs: 0 };
  const begun = await beginWithdrawal(redis, sponsor, request);
  expect(begun === null).toBe(!isIdle || hasEnded);
  if (begun && begun.coins.length > 0) {
    const gasCharged = BigInt(variant % 100) - 50n;
    const { operationId, coins } = begun;
    books.hold(coins, 'maintenance', operationId);
    await books.check();
    const done = { operationId, gasCharged, digest: 'W' };
    expect(await finishWithdrawal(redis, sponsor, done)).toBe(true);
    books.become(coins, [], gasCharged);
    books.count('withdraw');
  }
  await undrainSponsor(redis, sponsor);
}
