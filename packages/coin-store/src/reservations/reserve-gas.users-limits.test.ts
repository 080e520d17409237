import { describe, expect, it } from '@jest/globals';
import type { ReservationLimits } from '@forecourt/contracts';
import { retentionMs, useTestStore } from '../pool.test-support.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { expireReservations, releaseReservation } from './release-reservations.js';
import { reserveGas, type StoredCoins } from './reserve-gas.js';
import { balances, noLimits, reserveIn } from './limited-reservations.test-support.js';

const store = useTestStore();

const reserveWith = reserveIn(store);

describe('users of one token', () => {
  const one = { coins: 4 };

  it('leave a share of the pool to others, however many they are', async () => {
    const { sponsor } = await store.aPool(...balances(20));
    const together = { poolShare: 50 };
    const replies: string[] = [];
    for (let user = 1; user <= 20; user++) {
      const who = `shop:0x${user}`;
      replies.push(...(await reserveWith(sponsor, one, { who, times: 2, together })));
    }
    expect(replies.filter((reply) => reply === '1 coins')).toHaveLength(10);
    expect(new Set(replies.slice(10))).toEqual(new Set(['all users: pool-share']));
    const others = ['shop', 'shop-users:0x1', 'market:0x1', 'default'];
    for (const who of others) {
      expect([who, ...(await reserveWith(sponsor, one, { who, together }))]).toEqual([
        who,
        '1 coins',
      ]);
    }
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('are limited one by one as well, and together in coins, budget and coins per minute', async () => {
    const { sponsor } = await store.aPool(...balances(20));
    const reserveAs = (who: string, together: Partial<ReservationLimits>, times: number) =>
      reserveWith(sponsor, { coins: 2 }, { who, times, together });
    expect(await reserveAs('a:0x1', { coins: 3 }, 3)).toEqual(['1 coins', '1 coins', 'coins']);
    expect(await reserveAs('a:0x2', { coins: 3 }, 2)).toEqual(['1 coins', 'all users: coins']);
    expect(await reserveAs('b:0x1', { budget: 1_500_000 }, 2)).toEqual(['1 coins', '1 coins']);
    expect(await reserveAs('b:0x2', { budget: 1_500_000 }, 2)).toEqual([
      '1 coins',
      'all users: budget',
    ]);
    const large = { who: 'c:0x1', gasBudget: 2_000_000, together: { coins: 2 } };
    expect(await reserveWith(sponsor, { coins: 4 }, large)).toEqual(['all users: coins']);
    const brief = { durationMs: 0, together: { coinsPerMinute: 1 } };
    expect(await reserveWith(sponsor, one, { who: 'd:0x1', ...brief })).toEqual(['1 coins']);
    await expireReservations(store.redis, sponsor, { limit: 10, retentionMs });
    expect(await reserveWith(sponsor, one, { who: 'd:0x2', ...brief })).toEqual([
      'all users: coins-per-minute',
    ]);
  });

  it('may have the coins that any one of them returns', async () => {
    const { sponsor } = await store.aPool(...balances(2));
    const limits = { ...noLimits, coins: 4 };
    const usersLimits = { ...noLimits, coins: 1 };
    const reserveAs = async (who: string, durationMs = 60_000) => {
      const request = { caller: who, gasBudget: 500_000, durationMs, limits, usersLimits };
      const [reply] = await reserveGas(store.redis, sponsor, [request]);
      return reply;
    };
    const first = (await reserveAs('shop:0x1')) as StoredCoins;
    expect(await reserveAs('shop:0x2')).toMatchObject({ usedUp: 'all users: coins' });
    const { reservationId } = first;
    const given = { reservationId, caller: 'shop:0x1', retentionMs };
    await releaseReservation(store.redis, sponsor, given);
    await releaseReservation(store.redis, sponsor, given);
    expect(await reserveAs('shop:0x2', 0)).toMatchObject({ coins: [expect.anything()] });
    await expireReservations(store.redis, sponsor, { limit: 10, retentionMs });
    expect(await reserveAs('shop:0x3')).toMatchObject({ coins: [expect.anything()] });
    const held = await store.redis.hmget(`fc:{${sponsor}}:caller:shop:`, 'coins', 'budget');
    expect(held).toEqual(['1', '500000']);
  });
});
