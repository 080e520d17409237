import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import {
  aCoin,
  aLead,
  claim,
  reserve,
  retentionMs,
  rules,
  useTestStore,
} from '../pool.test-support.js';
import { adoptCoins } from './adopt-coins.js';
import { readPoolTotals } from './pool-totals.js';
import { rebuildPool } from './pool-rebuilding.js';
import { isWithheld, renewCoin, snapshotPool } from './pool-snapshot.js';
import { endSuspension, readSuspension, suspendPool } from './suspension.js';
import { expireReservations } from '../reservations/release-reservations.js';
import { listInFlight } from '../reservations/list-in-flight.js';
import { takeLead } from '../upkeep/leader-lock.js';

const store = useTestStore();
const keyOf = (sponsor: string, name: string) => `fc:{${sponsor}}:${name}`;
const isWhole = async (sponsor: string) =>
  (await takeLead(store.redis, sponsor, aLead('leader')))?.isWhole;

describe('a pool whose set of coins is lost', () => {
  it('adopts none, since coins that look new may be bound to transactions', async () => {
    const { sponsor, coins } = await store.aPool(700_000, 800_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    await claim(store.redis, sponsor, reservationId, 'D1');
    expect(await isWhole(sponsor)).toBe(true);
    await store.redis.del(keyOf(sponsor, 'coins'));
    expect(await isWhole(sponsor)).toBe(false);
    expect(await adoptCoins(store.redis, sponsor, [...coins, aCoin(1)], rules)).toBe(0);
  });
});

describe('a reservation that is lost', () => {
  it('does not affect the expiry and listing of others', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000, 700_000);
    const [lostReserved, , lostExecuting, executing] = [
      await reserve(redis, sponsor, 500_000, 1),
      await reserve(redis, sponsor, 500_000, 1),
      await reserve(redis, sponsor),
      await reserve(redis, sponsor),
    ];
    for (const { reservationId } of [lostExecuting, executing]) {
      const digest = `D${reservationId}`;
      const fence = await claim(redis, sponsor, reservationId, digest);
      await only(beginExecutions(redis, sponsor, 'one', [{ reservationId, digest, fence }]));
    }
    for (const { reservationId } of [lostReserved, lostExecuting]) {
      await redis.del(keyOf(sponsor, `reservation:${reservationId}`));
    }
    const query = { state: 'executing', olderThanMs: -1_000, limit: 10 } as const;
    expect((await listInFlight(redis, sponsor, query)).listed).toMatchObject([
      { reservationId: executing.reservationId },
    ]);
    while ((await redis.zcard(keyOf(sponsor, 'reserved'))) > 0) {
      await expireReservations(redis, sponsor, { limit: 10, retentionMs });
    }
    expect((await snapshotPool(redis, sponsor)).unplaced).toHaveLength(2);
  });
});

describe('rebuilding a pool', () => {
  it('withholds coins that the ledger shows late, also moved ones until they are corrected', async () => {
    const { redis } = store;
    const { sponsor, coins } = await store.aPool(700_000);
    const { reservationId } = await reserve(redis, sponsor);
    const fence = await claim(redis, sponsor, reservationId, 'D1');
    await only(beginExecutions(redis, sponsor, 'one', [{ reservationId, digest: 'D1', fence }]));
    await redis.del(keyOf(sponsor, `reservation:${reservationId}`));
    const found = { epoch: 5n, placesCoins: true, reservationIds: [], gone: [], rules };
    const rebuild = (nodeCoins: typeof coins) =>
      rebuildPool(redis, sponsor, { ...found, coins: nodeCoins });
    expect(await rebuild([])).toEqual({ placed: 0, withheld: 0, isWhole: false });
    expect(await rebuild(coins)).toEqual({ placed: 0, withheld: 1, isWhole: true });
    expect(await rebuild(coins)).toEqual({ placed: 0, withheld: 1, isWhole: true });
    const moved = coins.map((coin) => ({ ...coin, version: 2, balance: 600_000n }));
    for (const epoch of [5n, 6n]) {
      const rebuilt = await rebuildPool(redis, sponsor, { ...found, coins: moved, epoch });
      expect(rebuilt).toEqual({ placed: 0, withheld: 1, isWhole: true });
    }
    const [before] = (await snapshotPool(redis, sponsor)).coins.filter(isWithheld);
    const renewal = { before: before!, after: moved[0]!, rules, retentionMs };
    expect(await renewCoin(redis, sponsor, renewal)).toBe(true);
    expect(await renewCoin(redis, sponsor, renewal)).toBe(false);
    const { coins: counted, balance } = await readPoolTotals(redis, sponsor);
    expect(counted).toMatchObject({ maintenance: 0n, available: 1n });
    expect([balance.maintenance, balance.available]).toEqual([0n, 600_000n]);
    expect((await snapshotPool(redis, sponsor)).faults).toEqual([]);
  });

  it('returns withheld coins in a later epoch, also if they were withheld in one of another network', async () => {
    const { redis } = store;
    const { sponsor, coins } = await store.aPool(700_000);
    const { reservationId } = await reserve(redis, sponsor);
    const fence = await claim(redis, sponsor, reservationId, 'D1');
    await only(beginExecutions(redis, sponsor, 'one', [{ reservationId, digest: 'D1', fence }]));
    await redis.del(keyOf(sponsor, `reservation:${reservationId}`));
    const found = { placesCoins: true, reservationIds: [], gone: [], coins, rules };
    const rebuild = (epoch: bigint) => rebuildPool(redis, sponsor, { ...found, epoch });
    expect(await rebuild(900n)).toMatchObject({ withheld: 1 });
    for (const epoch of [5n, 6n, 5n]) expect(await rebuild(epoch)).toMatchObject({ withheld: 1 });
    expect(await rebuild(7n)).toEqual({ placed: 1, withheld: 0, isWhole: true });
  });

  it('changes nothing in a complete pool', async () => {
    const { redis } = store;
    const { sponsor, coins } = await store.aPool(700_000, 2n ** 54n + 3n, 50_000, 9_000_000);
    await reserve(redis, sponsor);
    const before = await snapshotPool(redis, sponsor);
    const found = { epoch: 5n, placesCoins: true, reservationIds: [], gone: [], coins, rules };
    await rebuildPool(redis, sponsor, found);
    expect(await snapshotPool(redis, sponsor)).toEqual(before);
    expect(before.faults).toEqual([]);
  });
});

describe('the suspension of a pool in which keys are missing', () => {
  it('is not extended by repeated calls, and ends like any other', async () => {
    const { sponsor } = await store.aPool(700_000);
    expect(await suspendPool(store.redis, sponsor, 60_000)).toBe(true);
    expect(await suspendPool(store.redis, sponsor, 120_000)).toBe(false);
    expect(await readSuspension(store.redis, sponsor)).toBeLessThanOrEqual(60_000);
    expect(await endSuspension(store.redis, sponsor)).toBe(false);
  });
});
