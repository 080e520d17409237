import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  inspectPool,
  noteSpending,
  readPoolTotals,
  reserveGas,
  snapshotPool,
} from '@forecourt/coin-store';
import { COIN_STORAGE_COST } from '@forecourt/ledger';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { expectExact } from './adopted-pool.test-support.js';
import { MaintenanceFailed } from './maintenance-failed.js';

const fleet = useTestFleet();
afterEach(() => fleet.clearFaults());

const running = new AbortController().signal;
const fill = (pool: TestPool) => pool.filler.fill(pool.sponsor, pool.settings.targetCoins, running);

describe('filling a pool', () => {
  it('splits one giant coin into exactly the target number of coins, in parallel', async () => {
    const funds = 2n ** 53n + 12_345n;
    const pool = await fleet.aPool([funds], { targetCoins: 1_300, minCoins: 650 });
    await pool.correction.adoptNewCoins(pool.sponsor);
    expect(await fill(pool)).toBe(true);
    const { coins } = await snapshotPool(pool.redis, pool.sponsor);
    const made = coins.filter(({ balance }) => balance === pool.settings.targetBalance);
    expect(made.length).toBeGreaterThanOrEqual(1_300);
    expect(made.length).toBeLessThan(1_310);
    expect(pool.logged.at(-1)).toMatchObject({ message: 'Pool being filled', target: 1_300 });
    await expectExact(pool, funds);
  });

  it('makes as many coins as small funds pay for, and then sends no more transactions', async () => {
    const pool = await fleet.aPool([520_000_000n]);
    await pool.correction.adoptNewCoins(pool.sponsor);
    expect(await fill(pool)).toBe(true);
    const { coins } = await snapshotPool(pool.redis, pool.sponsor);
    expect(coins.filter(({ balance }) => balance === 100_000_000n)).toHaveLength(4);
    const before = await fleet.requestsOf('iota_executeTransactionBlock');
    expect(await fill(pool)).toBe(true);
    expect(await fleet.requestsOf('iota_executeTransactionBlock')).toBe(before);
    await expectExact(pool, 520_000_000n);
  });

  it('counts a refill as short of funds only when no coin is left to split', async () => {
    const pool = await fleet.aPool([520_000_000n]);
    await pool.correction.adoptNewCoins(pool.sponsor);
    const counted = jest.spyOn(pool.metrics.refills, 'add');
    const { targetCoins } = pool.settings;
    await pool.filler.fill(pool.sponsor, targetCoins, AbortSignal.abort());
    const held = `fc:{${pool.sponsor}}:held`;
    await pool.redis.set(held, Date.now());
    expect(await pool.filler.fill(pool.sponsor, targetCoins, running)).toBe(false);
    await pool.redis.del(held);
    await pool.filler.fill(pool.sponsor, targetCoins, running);
    const outcomes = counted.mock.calls.map(([labels]) => labels.outcome);
    expect(outcomes).toEqual(['unfinished', 'unfinished', 'short']);
  });

  it('splits available coins when there are no larger ones', async () => {
    const pool = await fleet.aPool([260_000_000n]);
    await pool.correction.adoptNewCoins(pool.sponsor);
    expect(await fill(pool)).toBe(true);
    expect(Number((await readPoolTotals(pool.redis, pool.sponsor)).coins.available)).toBe(3);
    await expectExact(pool, 260_000_000n);
  });

  it('does nothing above the minimum, and below it fills to the target', async () => {
    const pool = await fleet.aPool([2_000_000_000n], { targetCoins: 4, minCoins: 4 });
    await pool.correction.adoptNewCoins(pool.sponsor);
    await fill(pool);
    const larger = pool.with({ settings: { targetCoins: 8 } });
    expect(await larger.filler.fill(pool.sponsor, 4, running)).toBe(false);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.available).toBe(4n);
    expect(await larger.filler.fill(pool.sponsor, 8, running)).toBe(true);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.available).toBe(8n);
  });

  describe('filling a pool while callers have nearly all coins reserved', () => {
    async function reservedPool(targetCoins: number, reserved: number): Promise<TestPool> {
      const settings = { targetCoins, minCoins: 1, minFreeShare: 50 };
      const pool = await fleet.aPool([8_000_000_000n], settings);
      await pool.correction.adoptNewCoins(pool.sponsor);
      await fill(pool);
      await reserve(pool, reserved);
      return pool;
    }
    const reserve = async (pool: TestPool, count: number) => {
      const request = { caller: 'hoarder', gasBudget: 1_000_000, durationMs: 60_000 };
      await reserveGas(pool.redis, pool.sponsor, Array(count).fill(request));
    };
    const fillAgain = (pool: TestPool) =>
      pool.filler.fill(pool.sponsor, pool.settings.minCoins, running);
    const coinsOf = async (pool: TestPool) =>
      (await readPoolTotals(pool.redis, pool.sponsor)).coins;

    it('makes more coins until the target number is available', async () => {
      const pool = await reservedPool(10, 6);
      await fillAgain(pool);
      expect(await coinsOf(pool)).toMatchObject({ reserved: 6n, available: 10n });
    });

    it('makes none while enough are available', async () => {
      const pool = await reservedPool(10, 5);
      await fillAgain(pool);
      expect(await coinsOf(pool)).toMatchObject({ reserved: 5n, available: 5n });
    });

    it('never makes more than twice the target', async () => {
      const pool = await reservedPool(10, 9);
      await fillAgain(pool);
      await reserve(pool, 8);
      await fillAgain(pool);
      expect(await coinsOf(pool)).toMatchObject({ reserved: 17n, available: 3n });
      await expectExact(pool, 8_000_000_000n);
    });
  });

  it('fails with MaintenanceFailed when the ledger refuses splits, and does not repeat them', async () => {
    const pool = await fleet.aPool([2_000_000_000n]);
    await pool.correction.adoptNewCoins(pool.sponsor);
    await fleet.fault({ kind: 'refuse', preset: 'gas-price' });
    await expect(fill(pool)).rejects.toBeInstanceOf(MaintenanceFailed);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.treasury).toBe(1n);
    await fleet.clearFaults();
    expect(await fill(pool)).toBe(true);
    await expectExact(pool, 2_000_000_000n);
  });
});

describe('the spending of a pool', () => {
  it('is what its splits cost beyond the deposits of their coins, whatever is sent in meanwhile', async () => {
    const pool = await fleet.aPool([2_000_000_000n]);
    await pool.correction.adoptNewCoins(pool.sponsor);
    await noteSpending(pool.redis, pool.sponsor);
    expect(await fill(pool)).toBe(true);
    await fleet.mint(pool.sponsor, 100_000_000n);
    await fleet.mint(pool.sponsor, 100_000_000n);
    await pool.correction.adoptNewCoins(pool.sponsor);
    const { gasCharged, made } = await readPoolTotals(pool.redis, pool.sponsor);
    const { day } = await inspectPool(pool.redis, pool.sponsor, 0);
    expect(made).toBeGreaterThan(0n);
    expect(BigInt(day!.spent)).toBe(gasCharged - made * COIN_STORAGE_COST);
    expect(BigInt(day!.spent)).toBeGreaterThan(0n);
  });
});
