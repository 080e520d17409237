import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { caller, claim, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { expireReservations, releaseReservation } from './release-reservations.js';
import { reserveGas, type UsedUp } from './reserve-gas.js';
import {
  balances,
  describeReply,
  noLimits,
  reserveIn,
} from './limited-reservations.test-support.js';

const store = useTestStore();

const reserveWith = reserveIn(store);

describe('a caller with limits', () => {
  it('is limited in coins and budget at once, independently of other callers', async () => {
    const { sponsor } = await store.aPool(...balances(8));
    expect(await reserveWith(sponsor, { coins: 2 }, { times: 3 })).toEqual([
      '1 coins',
      '1 coins',
      'coins',
    ]);
    const other = { who: 'other', times: 3 };
    expect(await reserveWith(sponsor, { budget: 1_000_000 }, other)).toEqual([
      '1 coins',
      '1 coins',
      'budget',
    ]);
    expect(await reserveWith(sponsor, {}, { who: 'free', times: 4 })).toHaveLength(4);
  });

  it('does not get more coins for a reservation than its limit leaves', async () => {
    const { sponsor } = await store.aPool(...balances(5));
    const large = { gasBudget: 2_000_000 };
    expect(await reserveWith(sponsor, { coins: 2 }, large)).toEqual(['coins']);
    // Of two limits that leave as many, the one that needs returned coins is named.
    const both = { coins: 2, coinsPerMinute: 2 };
    expect(await reserveWith(sponsor, both, large)).toEqual(['coins']);
    expect(await reserveWith(sponsor, { coins: 3 }, large)).toEqual(['3 coins']);
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('has its share of the coins that no other caller holds, after any number of reservations', async () => {
    // Dust and treasury coins do not count.
    const { sponsor } = await store.aPool(...balances(10), 5_000, 90_000_000);
    const half = { poolShare: 50 };
    const several = { gasBudget: 2_000_000 };
    expect(await reserveWith(sponsor, half, several)).toEqual(['3 coins']);
    expect(await reserveWith(sponsor, half, several)).toEqual(['pool-share']);
    expect(await reserveWith(sponsor, half, { times: 3 })).toEqual([
      '1 coins',
      '1 coins',
      'pool-share',
    ]);
    expect(await reserveWith(sponsor, half, { who: 'other', times: 3 })).toEqual([
      '1 coins',
      '1 coins',
      'no coins',
    ]);
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('leaves coins for the next caller by its share, however many callers take all they can', async () => {
    const { sponsor } = await store.aPool(...balances(30));
    const taken: number[] = [];
    for (const who of ['first', 'second', 'third', 'fourth']) {
      const replies = await reserveWith(sponsor, { poolShare: 50 }, { who, times: 30 });
      taken.push(replies.filter((reply) => reply === '1 coins').length);
    }
    expect(taken).toEqual([15, 7, 4, 2]);
    // Coins returned by the first are shared anew.
    expect(await reserveWith(sponsor, { poolShare: 50 }, { who: 'first' })).toEqual(['pool-share']);
  });

  it('may have the only coin, and gets NO_COINS when others have them', async () => {
    const { sponsor } = await store.aPool(...balances(1));
    expect(await reserveWith(sponsor, { poolShare: 10 })).toEqual(['1 coins']);
    expect(await reserveWith(sponsor, { poolShare: 10 }, { who: 'other' })).toEqual(['no coins']);
  });

  it('leaves coins that its limits refuse to the others of a burst, in their order', async () => {
    const { sponsor, coins } = await store.aPool(...balances(6));
    const one = { gasBudget: 500_000, durationMs: 60_000 };
    const limited = { ...one, caller, limits: { ...noLimits, coins: 1 } };
    const other = { ...one, caller: 'other', limits: { ...noLimits, coins: 9 } };
    const small = { ...other, gasBudget: 300_000 };
    const burst = [limited, limited, other, limited, small, limited];
    const replies = await reserveGas(store.redis, sponsor, burst);
    expect(replies.map(describeReply)).toEqual([
      '1 coins',
      'coins',
      '1 coins',
      'coins',
      '1 coins',
      'coins',
    ]);
    const last = await reserveGas(store.redis, sponsor, [other, other, other]);
    const taken = [...replies, ...last].flatMap((reply) =>
      reply !== null && 'coins' in reply ? reply.coins : [],
    );
    expect(taken.map(({ objectId }) => objectId)).toEqual(coins.map(({ objectId }) => objectId));
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
    const held = await store.redis.hget(`fc:{${sponsor}}:caller:other`, 'coins');
    expect(held).toBe('5');
  });

  it('is forgotten a while after it holds nothing, and not before', async () => {
    const { sponsor } = await store.aPool(...balances(2));
    const ttl = () => store.redis.pttl(`fc:{${sponsor}}:caller:${caller}`);
    for (let times = 0; times < 2; times++) {
      expect(await reserveWith(sponsor, { coins: 2 }, { durationMs: 0 })).toEqual(['1 coins']);
      expect(await ttl()).toBe(-1);
      await expireReservations(store.redis, sponsor, { limit: 10, retentionMs });
      expect(await ttl()).toBeGreaterThan(0);
      // Longer, because the reservation was not used.
      expect(await ttl()).toBeLessThanOrEqual(3_600_000);
    }
  });

  it('leaves nothing in Redis when it gets nothing, even if others in the same burst get coins', async () => {
    const { sponsor } = await store.aPool(...balances(1));
    const request = { gasBudget: 500_000, durationMs: 60_000, limits: { ...noLimits, coins: 2 } };
    const burst = ['shop:0x1', 'shop:0x2', 'other'].map((who) => ({ ...request, caller: who }));
    const replies = await reserveGas(store.redis, sponsor, burst);
    expect(replies).toEqual([expect.anything(), null, null]);
    const keys = await store.redis.keys(`fc:{${sponsor}}:caller:*`);
    const names = keys.map((key) => key.slice(key.indexOf('caller:')));
    expect(names.toSorted()).toEqual(['caller:shop:', 'caller:shop:0x1']);
  });

  it('is limited per minute, however soon it releases its reservations', async () => {
    const { sponsor } = await store.aPool(...balances(5));
    for (const limits of [{ coinsPerMinute: 2 }, { budgetPerMinute: 1_000_000 }]) {
      const who = JSON.stringify(limits);
      const [usedUp] = Object.keys(limits).map((name) => name.replace('PerMinute', '-per-minute'));
      expect(await reserveWith(sponsor, limits, { who, times: 2, durationMs: 0 })).toEqual([
        '1 coins',
        '1 coins',
      ]);
      await expireReservations(store.redis, sponsor, { limit: 10, retentionMs });
      const request = { caller: who, gasBudget: 500_000, durationMs: 0 };
      const [third] = await reserveGas(store.redis, sponsor, [
        { ...request, limits: { ...noLimits, ...limits } },
      ]);
      expect(third).toMatchObject({ usedUp });
      expect((third as UsedUp).endsInMs).toBeGreaterThan(50_000);
    }
  });

  it('may leave so many reservations unused in a minute, and as many more as are executed', async () => {
    const { sponsor } = await store.aPool(...balances(5));
    const limits = { ...noLimits, unusedPerMinute: 2 };
    const use = `fc:{${sponsor}}:caller:${caller}`;
    const tryOne = async () => {
      const request = { caller, gasBudget: 500_000, durationMs: 60_000, limits };
      return (await reserveGas(store.redis, sponsor, [request]))[0]!;
    };
    const one = async () => {
      const reply = await tryOne();
      if ('usedUp' in reply) throw new Error(`got ${JSON.stringify(reply)}`);
      return reply.reservationId;
    };
    const release = (reservationId: number) =>
      releaseReservation(store.redis, sponsor, { reservationId, caller, retentionMs });
    const execute = async (reservationId: number) => {
      const digest = `D${reservationId}`;
      const fence = await claim(store.redis, sponsor, reservationId, digest);
      const job = { reservationId, digest, fence, executor: 'e' };
      const { coins } = (await only(beginExecutions(store.redis, sponsor, job.executor, [job])))!;
      const settled = {
        outcome: 'executed',
        rules,
        retentionMs,
        gasCharged: 1n,
        cost: 1n,
      } as const;
      const execution = { reservationId, digest, returned: coins };
      await only(settleExecutions(store.redis, sponsor, [{ ...execution, ...settled }]));
    };
    await release(await one());
    await release(await one());
    const refused = await tryOne();
    expect(refused).toMatchObject({ usedUp: 'unused-per-minute' });
    expect((refused as UsedUp).endsInMs).toBeGreaterThan(50_000);
    // Two minutes later; those that it held at once are more than a minute allows.
    const pass = async (minutes: number) => {
      const minute = Number(await store.redis.hget(use, 'minute'));
      await store.redis.hset(use, 'minute', minute - minutes * 60_000);
    };
    await pass(2);
    const held = [await one(), await one(), await one(), await one()];
    for (const id of held) await release(id);
    await pass(1);
    expect(await tryOne()).toMatchObject({ usedUp: 'unused-per-minute' });
    await pass(1);
    const executed = [await one(), await one()];
    await release(await one());
    await release(await one());
    expect(await tryOne()).toMatchObject({ usedUp: 'unused-per-minute' });
    for (const id of executed) await execute(id);
    await release(await one());
    await release(await one());
    expect(await tryOne()).toMatchObject({ usedUp: 'unused-per-minute' });
  });

  it('is freed from its limits by any end of a reservation', async () => {
    const { sponsor } = await store.aPool(...balances(1));
    const limits = { ...noLimits, coins: 1, budget: 500_000 };
    const one = async (durationMs: number) => {
      const request = { caller, gasBudget: 500_000, durationMs, limits };
      const [reply] = await reserveGas(store.redis, sponsor, [request]);
      if (!reply || 'usedUp' in reply) throw new Error(`got ${JSON.stringify(reply)}`);
      return reply.reservationId;
    };
    const released = await one(60_000);
    await releaseReservation(store.redis, sponsor, {
      reservationId: released,
      caller,
      retentionMs,
    });
    await one(0);
    await expireReservations(store.redis, sponsor, { limit: 10, retentionMs });
    const executed = await one(60_000);
    const fence = await claim(store.redis, sponsor, executed, 'D');
    const job = { reservationId: executed, digest: 'D', fence, executor: 'e' };
    const { coins } = (await only(beginExecutions(store.redis, sponsor, job.executor, [job])))!;
    await only(
      settleExecutions(store.redis, sponsor, [
        {
          reservationId: executed,
          digest: 'D',
          outcome: 'executed',
          rules,
          retentionMs,
          returned: coins,
          gasCharged: 1n,
          cost: 1n,
        },
      ]),
    );
    await one(60_000);
    const held = await store.redis.hmget(`fc:{${sponsor}}:caller:${caller}`, 'coins', 'budget');
    expect(held).toEqual(['1', '500000']);
  });
});
