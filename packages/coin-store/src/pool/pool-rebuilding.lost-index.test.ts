import { describe, expect, it } from '@jest/globals';
import type { GasCoin } from '@forecourt/ledger';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { quarantineExecution } from '../executions/quarantines.js';
import { refuseExecution } from '../executions/unsettled-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { caller, claim, reserve, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import { rebuildPool } from './pool-rebuilding.js';
import { snapshotPool } from './pool-snapshot.js';
import { suspendPool } from './suspension.js';
import { releaseReservation } from '../reservations/release-reservations.js';

const store = useTestStore();
const balances = [700_000, 700_000, 700_000];

async function rebuild(sponsor: string, coins: readonly GasCoin[]) {
  await suspendPool(store.redis, sponsor, 1);
  const found = { epoch: 5n, placesCoins: true, reservationIds: [], gone: [], coins, rules };
  return rebuildPool(store.redis, sponsor, found);
}

/** Every coin is in one state, and the totals agree. */
async function expectExact(sponsor: string) {
  const { coins, faults } = await snapshotPool(store.redis, sponsor);
  expect([coins.length, faults]).toEqual([balances.length, []]);
}

const stateOf = async (sponsor: string, { objectId }: GasCoin) =>
  (await snapshotPool(store.redis, sponsor)).coins.find((coin) => coin.objectId === objectId)
    ?.state;

/** A reservation that the index has lost, and a later one. */
async function aLostReservation() {
  const { redis } = store;
  const { sponsor, coins } = await store.aPool(...balances);
  const lost = await reserve(redis, sponsor);
  await redis.del(`fc:{${sponsor}}:reserved`);
  const later = await reserve(redis, sponsor);
  const release = { reservationId: lost.reservationId, caller, retentionMs };
  return { redis, sponsor, coins, lost, later, release };
}

describe('a reservation whose index was lost, and restarted by another one', () => {
  it('is no longer claimed, and its coin is given to no other reservation', async () => {
    const { redis, sponsor, coins, lost, later } = await aLostReservation();
    expect(await rebuild(sponsor, coins)).toEqual({ placed: 0, withheld: 1, isWhole: true });
    expect(await stateOf(sponsor, lost.coins[0]!)).toBe('maintenance');
    await expect(claim(redis, sponsor, lost.reservationId, 'D1')).rejects.toThrow('expired');
    await claim(redis, sponsor, later.reservationId, 'D2');
    await expectExact(sponsor);
  });

  it('is not claimed before the pool is suspended', async () => {
    const { redis, sponsor, coins, lost } = await aLostReservation();
    await expect(claim(redis, sponsor, lost.reservationId, 'D1')).rejects.toThrow('expired');
    await rebuild(sponsor, coins);
    await expectExact(sponsor);
  });

  it('does not return a coin when it is released: after the rebuilding', async () => {
    const { redis, sponsor, coins, release } = await aLostReservation();
    await rebuild(sponsor, coins);
    await releaseReservation(redis, sponsor, release);
    await expectExact(sponsor);
  });

  it('does not return a coin when it is released: before the rebuilding', async () => {
    const { redis, sponsor, coins, release } = await aLostReservation();
    await releaseReservation(redis, sponsor, release);
    await rebuild(sponsor, coins);
    await expectExact(sponsor);
  });
});

describe('totals that were lost and restarted', () => {
  it('prove nothing: coins in no state are withheld', async () => {
    const { redis, sponsor, coins } = await aLostReservation();
    await redis.del(`fc:{${sponsor}}:totals`, `fc:{${sponsor}}:reserved`);
    await redis.hset(`fc:{${sponsor}}:totals`, 'funds', '1000', 'gasCharged', '1000');
    const executing = await reserve(redis, sponsor);
    await claim(redis, sponsor, executing.reservationId, 'D3');
    expect(await rebuild(sponsor, coins)).toEqual({ placed: 0, withheld: 2, isWhole: true });
    await expectExact(sponsor);
  });
});

/** An execution that the index has lost, and a later one. */
async function aLostExecution() {
  const { redis } = store;
  const { sponsor, coins } = await store.aPool(...balances);
  const begin = async (digest: string) => {
    const reserved = await reserve(redis, sponsor);
    const { reservationId } = reserved;
    const fence = await claim(redis, sponsor, reservationId, digest);
    const job = { reservationId, digest, fence };
    await only(beginExecutions(redis, sponsor, 'one', [job]));
    return { job, used: reserved.coins };
  };
  const lost = await begin('D1');
  await redis.del(`fc:{${sponsor}}:executing`);
  await begin('D2');
  return { redis, sponsor, coins, ...lost };
}

describe('an execution whose index was lost, and restarted by another one', () => {
  it('is not signed for until the pool is rebuilt, and keeps its job', async () => {
    const { redis, sponsor, coins, job } = await aLostExecution();
    await expect(only(beginExecutions(redis, sponsor, 'two', [job]))).rejects.toThrow('lost');
    const found = { epoch: 5n, placesCoins: true, gone: [], coins, rules };
    await rebuildPool(redis, sponsor, { ...found, reservationIds: [job.reservationId] });
    expect(await only(beginExecutions(redis, sponsor, 'two', [job]))).not.toBeNull();
    await expectExact(sponsor);
  });

  it('has its coin withheld when its record is lost too, and only its job remains', async () => {
    const { redis, sponsor, coins, job, used } = await aLostExecution();
    const { reservationId } = job;
    await redis.del(`fc:{${sponsor}}:reservation:${reservationId}`);
    const found = { epoch: 5n, placesCoins: true, gone: [], coins, rules };
    await rebuildPool(redis, sponsor, { ...found, reservationIds: [reservationId] });
    expect(await stateOf(sponsor, used[0]!)).toBe('maintenance');
  });

  it('is gone once the pool is rebuilt without it', async () => {
    const { redis, sponsor, coins, job } = await aLostExecution();
    await rebuild(sponsor, coins);
    expect(await only(beginExecutions(redis, sponsor, 'two', [job]))).toBeNull();
    const refusal = { ...job, message: 'no', retentionMs };
    expect((await refuseExecution(redis, sponsor, refusal)).refused).toBe(false);
    await quarantineExecution(redis, sponsor, { ...job, message: 'conflict', epoch: 5n });
    await expectExact(sponsor);
  });

  it.each(['before', 'after'])('returns its coin once when it settles %s that', async (when) => {
    const { redis, sponsor, coins, job, used } = await aLostExecution();
    if (when === 'after') await rebuild(sponsor, coins);
    const returned = used.map((coin) => ({ ...coin, version: 2, balance: coin.balance - 1_000n }));
    const { settled, waiters } = await only(
      settleExecutions(redis, sponsor, [
        {
          ...job,
          outcome: 'executed',
          returned,
          rules,
          retentionMs,
          gasCharged: 1_000n,
          cost: 1_000n,
        },
      ]),
    );
    expect([settled, waiters.length]).toEqual([true, 1]);
    await expectExact(sponsor);
    expect((await snapshotPool(redis, sponsor)).totals.gasCharged).toBe(1_000n);
  });
});
