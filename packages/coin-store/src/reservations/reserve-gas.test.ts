import { describe, expect, it } from '@jest/globals';
import { aCoin, caller, reserve, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import { adoptCoins } from '../pool/adopt-coins.js';
import { readPoolTotals } from '../pool/pool-totals.js';
import { placementRules } from '../pool/placement-rules.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { sponsorIndexOf } from '../pool/sponsor-registry.js';
import { expireReservations, releaseReservation } from './release-reservations.js';
import { reserveGas } from './reserve-gas.js';

const store = useTestStore();

const request = (gasBudget: number) => ({ caller, gasBudget, durationMs: 60_000 });

describe('reserving gas', () => {
  it('takes the smallest coin that covers the budget', async () => {
    const { sponsor, coins } = await store.aPool(900_000, 200_000, 400_000);
    const reserved = await reserve(store.redis, sponsor, 190_000);
    expect(reserved.coins).toEqual([coins[1]]);
  });

  it('takes a coin of exactly the budget', async () => {
    const { sponsor, coins } = await store.aPool(123_457);
    expect((await reserve(store.redis, sponsor, 123_457)).coins).toEqual(coins);
  });

  it('does not take a coin one unit short', async () => {
    const { sponsor } = await store.aPool(123_456);
    expect(await reserveGas(store.redis, sponsor, [request(123_457)])).toEqual([null]);
  });

  it('rotates coins of one class: first in, first out', async () => {
    const { sponsor, coins } = await store.aPool(800_000, 800_001, 800_002);
    const first = await reserve(store.redis, sponsor);
    const again = { reservationId: first.reservationId, caller, retentionMs };
    await releaseReservation(store.redis, sponsor, again);
    expect((await reserve(store.redis, sponsor)).coins).toEqual([coins[1]]);
  });

  it('takes several coins, the largest first, only when none covers the budget', async () => {
    const { sponsor, coins } = await store.aPool(300_000, 500_000, 400_000);
    expect((await reserve(store.redis, sponsor, 850_000)).coins).toEqual([coins[1], coins[2]]);
  });

  it('never reserves partially: takes none when 255 coins do not cover the budget', async () => {
    const { sponsor, coins } = await store.aPool(...Array<number>(300).fill(100_000));
    expect(await reserveGas(store.redis, sponsor, [request(255 * 100_000 + 1)])).toEqual([null]);
    expect((await readPoolTotals(store.redis, sponsor)).coins.available).toBe(300n);
    const [most] = await reserveGas(store.redis, sponsor, [request(255 * 100_000)]);
    expect(most?.coins).toHaveLength(255);
    expect(new Set(most?.coins.map((coin) => coin.objectId)).size).toBe(255);
    expect(coins).toHaveLength(300);
  });

  it('serves a burst in one call, each coin once, and fails only requests without coins', async () => {
    const { sponsor } = await store.aPool(...Array<number>(30).fill(700_000));
    const replies = await reserveGas(store.redis, sponsor, Array(40).fill(request(600_000)));
    const ids = replies.flatMap((reply) => reply?.coins.map((coin) => coin.objectId) ?? []);
    expect(replies.filter((reply) => reply === null)).toHaveLength(10);
    expect(new Set(ids).size).toBe(30);
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('never issues an id twice, not even after the counter was lost', async () => {
    const { sponsor } = await store.aPool(...Array<number>(20).fill(700_000));
    const first = await reserveGas(store.redis, sponsor, Array(10).fill(request(1)));
    await store.redis.del(`fc:{${sponsor}}:sequence`);
    const before = Date.now();
    while (Date.now() === before);
    const second = await reserveGas(store.redis, sponsor, Array(10).fill(request(1)));
    const ids = [...first, ...second].map((reply) => reply!.reservationId);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) {
      expect(Number.isSafeInteger(id) && id > 0).toBe(true);
      expect(sponsorIndexOf(id)).toBe(0);
    }
  });

  it('leaves ids of every millisecond to records without a reservation, also in a burst', async () => {
    const { sponsor } = await store.aPool(...Array<number>(150).fill(700_000));
    const replies = await reserveGas(store.redis, sponsor, Array(150).fill(request(1)));
    const ticks = replies.map((reply) => Math.floor(reply!.reservationId / 64) % 128);
    expect(ticks).toHaveLength(150);
    expect(Math.max(...ticks)).toBe(63);
  });

  it('keeps sums exact beyond 2^53', async () => {
    const { sponsor } = await store.aPool();
    const huge = placementRules(2n ** 62n);
    const coin = aCoin(2n ** 60n + 1n);
    await adoptCoins(store.redis, sponsor, [coin, aCoin(2n ** 59n + 3n)], huge);
    const reserved = await reserve(store.redis, sponsor, 1_999_999_999);
    const totals = await readPoolTotals(store.redis, sponsor);
    expect(totals.balance.available + totals.balance.reserved).toBe(2n ** 60n + 2n ** 59n + 4n);
    expect(totals.balance.reserved).toBe(reserved.coins[0]!.balance);
  });

  it('keeps the sum of several coins exact beyond 2^53', async () => {
    const { sponsor } = await store.aPool();
    const coins = [aCoin(2n ** 52n + 5n), aCoin(2n ** 52n + 2n), aCoin(7n)];
    await adoptCoins(store.redis, sponsor, coins, placementRules(2n ** 52n));
    const reserved = await reserve(store.redis, sponsor, Number.MAX_SAFE_INTEGER);
    expect(reserved.coins).toEqual(coins.slice(0, 2));
    const totals = await readPoolTotals(store.redis, sponsor);
    expect(totals.balance).toMatchObject({ reserved: 2n ** 53n + 7n, available: 0n, dust: 7n });
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('gives each request of a burst the coins that it would get alone, first in first out', async () => {
    const { sponsor, coins } = await store.aPool(800_000, 800_001, 300_000, 300_001, 800_002);
    const [a, b, c, d, e] = coins;
    const budgets = [500_000, 500_000, 250_000, 500_000, 250_000, 250_000];
    const replies = await reserveGas(store.redis, sponsor, budgets.map(request));
    expect(replies.map((reply) => reply?.coins[0])).toEqual([a, b, c, e, d, undefined]);
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('refuses a pool larger than 63 bits, whose sums would overflow', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const coins = [aCoin(2n ** 63n - 1n)];
    await expect(adoptCoins(store.redis, sponsor, coins, rules)).rejects.toThrow(RangeError);
    expect((await snapshotPool(store.redis, sponsor)).coins).toHaveLength(1);
  });

  it('returns coins at the deadline by Redis’s clock, not before', async () => {
    const { sponsor } = await store.aPool(700_000);
    const sweep = { limit: 10, retentionMs };
    await reserve(store.redis, sponsor, 1, 60_000);
    expect(await expireReservations(store.redis, sponsor, sweep)).toBe(0);
    const short = await store.aPool(700_000);
    await reserve(store.redis, short.sponsor, 1, 0);
    expect(await expireReservations(store.redis, short.sponsor, sweep)).toBe(1);
    expect((await reserve(store.redis, short.sponsor, 1)).coins).toEqual(short.coins);
    expect((await snapshotPool(store.redis, short.sponsor)).faults).toEqual([]);
  });
});
