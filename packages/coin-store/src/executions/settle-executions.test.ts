import { describe, expect, it } from '@jest/globals';
import {
  ExecutionReply,
  executionReplyChannel,
  readJsonDto,
  type TransactionEffects,
} from '@forecourt/contracts';
import { only } from '@forecourt/testing/redis';
import type { Redis } from 'ioredis';
import { beginNew } from './execution.test-support.js';
import { settleExecutions, type Settlement } from './settle-executions.js';
import { retentionMs, rules, useTestStore, waiter } from '../pool.test-support.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { findReservation } from '../reservations/reservation-lookups.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';
import { prepareCoinStore } from '../scripts/prepare-coin-store.js';

const store = useTestStore();

/** A settlement of a reservation that an executor has begun. */
async function aSettlement(sponsor: string, digest: string): Promise<Settlement> {
  const { job, coins } = await beginNew(store.redis, sponsor, digest);
  const { reservationId, fence } = job;
  const returned = coins.map((coin) => ({ ...coin, version: 9, balance: coin.balance - 1_000n }));
  const effects = { status: { status: 'success' }, at: `\t${digest}` };
  return {
    reservationId,
    digest,
    returned,
    outcome: 'executed',
    rules,
    retentionMs,
    gasCharged: 1_000n,
    cost: 1_000n,
    reply: {
      reservationId,
      digest,
      fence,
      outcome: { kind: 'executed', effects: effects as unknown as TransactionEffects },
    },
  };
}

describe('settling several executions in one call', () => {
  it('settles each like a single one: coins, gas, and the first settlement', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
    const [one, two] = [await aSettlement(sponsor, 'D1'), await aSettlement(sponsor, 'D2')];
    const settlements = [one, two, one, { ...two, digest: 'other' }];
    const settled = await settleExecutions(store.redis, sponsor, settlements);
    expect(settled).toEqual([
      { settled: true, waiters: [waiter] },
      { settled: true, waiters: [waiter] },
      { settled: false, waiters: [] },
      { settled: false, waiters: [] },
    ]);
    const { coins, totals, faults } = await snapshotPool(store.redis, sponsor);
    expect(faults).toEqual([]);
    expect(coins.map(({ state }) => state)).toEqual(['available', 'available', 'available']);
    expect(coins.map(({ version }) => version).toSorted()).toEqual([1, 9, 9]);
    expect(totals.gasCharged).toBe(2_000n);
  });

  it('notifies the waiters of each in the same step', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000);
    const settlements = [await aSettlement(sponsor, 'D1'), await aSettlement(sponsor, 'D2')];
    const [second] = settlements.slice(1);
    const { reservationId } = second!;
    const question = { reservationId, caller: 'default', digest: 'D2' };
    const asking = { ...waiter, requestType: 'waitForLocalExecution' } as const;
    await findReservation(store.redis, sponsor, { ...question, waiter: asking }, rules);

    const heard: ExecutionReply[] = [];
    const subscriber = (store.redis as Redis & CoinStoreRedis).duplicate();
    subscriber.on('message', (_channel, text) => heard.push(readJsonDto(ExecutionReply, text)));
    await subscriber.subscribe(executionReplyChannel(waiter.gateway));
    try {
      const settled = await settleExecutions(store.redis, sponsor, settlements);
      expect(settled.map((one) => one instanceof Error || one.waiters.length)).toEqual([1, 2]);
      // Redis sends a connection earlier publications before the replies to later commands.
      await subscriber.ping();
      expect(heard).toEqual(settlements.map(({ reply }) => reply));
    } finally {
      subscriber.disconnect();
    }
  });

  it('settles also when publishing fails', async () => {
    const { sponsor } = await store.aPool(700_000);
    const settlement = await aSettlement(sponsor, 'D1');
    const redis = store.redis as Redis & CoinStoreRedis;
    await redis.call('ACL', 'SETUSER', 'silent', 'on', 'nopass', '~*', '+@all', 'resetchannels');
    const silent = prepareCoinStore(redis.duplicate({ username: 'silent', password: 'any' }));
    try {
      await expect(silent.publish(executionReplyChannel('gw-1'), '')).rejects.toThrow('NOPERM');
      const settled = await settleExecutions(silent, sponsor, [settlement]);
      expect(settled).toEqual([{ settled: true, waiters: [waiter] }]);
    } finally {
      silent.disconnect();
    }
  });

  it('settles all others when one cannot be settled', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
    const settlements: Settlement[] = [];
    for (const digest of ['D1', 'D2', 'D3']) settlements.push(await aSettlement(sponsor, digest));
    const key = `fc:{${sponsor}}:reservation:${settlements[1]!.reservationId}`;
    const stored = (await store.redis.get(key))!;
    const [first, second, ...rest] = stored.split('\n');
    await store.redis.set(key, [first, second!.slice(3).replace('\t', ''), ...rest].join('\n'));
    const settled = await settleExecutions(store.redis, sponsor, settlements);
    expect(settled).toEqual([
      { settled: true, waiters: [waiter] },
      expect.any(Error),
      { settled: true, waiters: [waiter] },
    ]);
    await store.redis.set(key, stored);
    expect(await settleExecutions(store.redis, sponsor, [settlements[1]!])).toEqual([
      { settled: true, waiters: [waiter] },
    ]);
    const { coins, totals, faults } = await snapshotPool(store.redis, sponsor);
    expect(faults).toEqual([]);
    expect(coins.map(({ state }) => state)).toEqual(['available', 'available', 'available']);
    expect(totals.gasCharged).toBe(3_000n);
  });

  it.each([2n ** 64n, -(2n ** 64n)])(
    'does not settle one with gas of %d, and settles the others',
    async (gasCharged) => {
      const { redis } = store;
      const { sponsor } = await store.aPool(700_000, 700_000);
      const [wrong, right] = [await aSettlement(sponsor, 'D1'), await aSettlement(sponsor, 'D2')];
      const settled = await settleExecutions(redis, sponsor, [{ ...wrong, gasCharged }, right]);
      expect(settled).toEqual([expect.any(Error), { settled: true, waiters: [waiter] }]);
      expect((await snapshotPool(redis, sponsor)).faults).toEqual([]);
      const again = await settleExecutions(redis, sponsor, [wrong]);
      expect(again).toMatchObject([{ settled: true }]);
    },
  );

  it('rejects the single one that it cannot settle', async () => {
    const { sponsor } = await store.aPool(700_000);
    const wrong = { ...(await aSettlement(sponsor, 'D1')), gasCharged: 2n ** 64n };
    await expect(only(settleExecutions(store.redis, sponsor, [wrong]))).rejects.toThrow();
  });
});
