import { expect } from '@jest/globals';
import { drainSponsor, undrainSponsor } from '../drains.js';
import type { PoolBooks } from './pool-books.test-support.js';
import { bindMaintenance, finishMaintenance } from '../../upkeep/maintenance-operations.js';
import {
  beginWithdrawal,
  endWithdrawal,
  finishWithdrawal,
  orderWithdrawal,
} from '../../upkeep/withdrawals.js';

const to = `0x${'c0'.repeat(32)}`;
let orders = 0;
const newId = () => String((orders += 1));
const IN_FLIGHT = ['reserved', 'claimed', 'executing', 'quarantined', 'maintenance'] as const;

/** Some coins leave a pool without open work; otherwise the withdrawal is refused, and nothing changes. */
export async function withdraw(books: PoolBooks, variant: number): Promise<void> {
  const { sponsor, store } = books;
  const { redis } = store;
  await drainSponsor(redis, sponsor, { reason: 'a', by: 'b', since: 1 });
  const isIdle = IN_FLIGHT.every((state) => books.inState(state).length === 0);
  // A repeated order for a withdrawal that has taken everything refers to the ended one.
  const last = await redis.hgetall(books.key('withdrawal'));
  const wasWhole = last['address'] === to && !last['amount'];
  const hasEnded = books.placed.size === 0 && wasWhole && Boolean(last['ended']);
  const id = newId();
  const answer = await orderWithdrawal(redis, sponsor, { id, to, by: 'b', reason: 'a' });
  expect(answer).toBe(isIdle ? 'ordered' : 'in flight');
  const request = { id, to, maxCoins: 1 + (variant % 3), leaseMs: 0 };
  const begun = await beginWithdrawal(redis, sponsor, request);
  expect(begun === null).toBe(!isIdle || hasEnded);
  if (begun && begun.coins.length > 0) {
    const gasCharged = BigInt(variant % 100) - 50n;
    const { operationId, coins } = begun;
    books.hold(coins, 'maintenance', operationId);
    await books.check();
    const rest = { sent: 0n, remaining: [], rules: books.rules };
    const done = { operationId, gasCharged, digest: 'W', ...rest };
    expect(await finishWithdrawal(redis, sponsor, done)).toBe(true);
    books.become(coins, [], gasCharged);
    books.count('withdraw');
  }
  await undrainSponsor(redis, sponsor);
}

/** An amount leaves such a pool in one transaction or in several, each of which may fail. */
export async function withdrawAmount(
  books: PoolBooks,
  pick: number,
  variant: number,
): Promise<void> {
  const { sponsor, store, rules } = books;
  const { redis } = store;
  await drainSponsor(redis, sponsor, { reason: 'a', by: 'b', since: 1 });
  const isIdle = IN_FLIGHT.every((state) => books.inState(state).length === 0);
  const amount = BigInt(1 + pick * 100) * (variant % 5 === 0 ? 2n ** 40n : 1n);
  const id = newId();
  const part = { amount, request: id, isCovered: true };
  const answer = await orderWithdrawal(redis, sponsor, { id, to, by: 'b', reason: 'a', part });
  expect(answer).toBe(isIdle ? 'ordered' : 'in flight');
  const budget = 1_000n;
  const maxCoins = 1 + (variant % 3);
  const request = { id, to, amount, maxCoins, leaseMs: 0, gasBudget: budget };
  let [left, attempts] = [amount, 0];
  while (isIdle && left > 0n && ++attempts < 4) {
    const { operationId, coins } = (await beginWithdrawal(redis, sponsor, request))!;
    if (coins.length === 0) break;
    expect(coins.every(({ balance }) => balance >= rules.dustBelow)).toBe(true);
    books.hold(coins, 'maintenance', operationId);
    const most = coins.reduce((total, { balance }) => total + balance, -budget);
    const sent = left < most ? left : most;
    const bound = { operationId, digest: 'A', txBytes: 'AAAA', leaseMs: 0 };
    expect(await bindMaintenance(redis, sponsor, { ...bound, amount: left + 1n })).toBeNull();
    expect(await bindMaintenance(redis, sponsor, { ...bound, amount: sent })).not.toBeNull();
    await books.check();
    const hasFailed = (pick + attempts) % 4 === 0;
    const gasCharged = BigInt(variant % 100) - 50n;
    const balance = most + budget - gasCharged - (hasFailed ? 0n : sent);
    const remaining = [{ ...coins[0]!, version: coins[0]!.version + 1, balance }];
    const over = { operationId, gasCharged, rules };
    if (hasFailed) {
      const failed = { ...over, returned: remaining, created: [] };
      expect(await finishMaintenance(redis, sponsor, failed)).toBe(true);
    } else {
      const done = { ...over, digest: 'A', sent, remaining };
      expect(await finishWithdrawal(redis, sponsor, done)).toBe(true);
      left -= sent;
      books.count('withdraw an amount');
    }
    books.become(coins, remaining, gasCharged);
    await books.check();
    expect(await redis.hget(books.key('withdrawal'), 'left')).toBe(String(left));
  }
  if (isIdle) {
    const [balance, gas] = await redis.hmget(books.key('withdrawal'), 'balance', 'gas');
    expect(BigInt(balance!) - BigInt(gas!)).toBe(amount - left);
  }
  const other = { ...request, left: left + 1n };
  expect(await endWithdrawal(redis, sponsor, other)).toBe(false);
  expect(await endWithdrawal(redis, sponsor, { ...request, left })).toBe(isIdle);
  await undrainSponsor(redis, sponsor);
}
