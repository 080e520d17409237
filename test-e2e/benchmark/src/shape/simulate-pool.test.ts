import { beforeAll, describe, expect, it } from '@jest/globals';
import { prepareCoinStore } from '@forecourt/coin-store';
import { useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { distance } from './pool-shape.js';
import { demandsOf, TARGET_BALANCE } from './demands.js';
import { simulatePool } from './simulate-pool.js';
import type { SimulatedPool } from './simulation.js';
import { transactionsUntilHalved } from './simulation.js';

const seed = 3;
const targetCoins = 200;
const halvedAfter = transactionsUntilHalved(targetCoins, TARGET_BALANCE, demandsOf({ seed }));

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));
let pool: SimulatedPool;
beforeAll(async () => {
  pool = await simulatePool(redis, {
    transactions: 20_000,
    seed,
    targetCoins,
    minCoins: 190,
    mark: halvedAfter,
  });
});

describe('a pool that pays for 20 000 transactions of all sizes', () => {
  it('keeps the number of its coins and their sizes', () => {
    expect(pool.after.serving / pool.before.serving).toBeGreaterThan(0.95);
    expect(pool.after.serving / pool.before.serving).toBeLessThan(1.05);
    expect(distance(pool.before, pool.after)).toBeLessThan(0.05);
  });

  it('has coins for every demand, and agrees with the ledger', () => {
    expect([pool.unserved, pool.differences]).toEqual([0, []]);
    expect(pool.executed + pool.released).toBe(20_000);
  });

  it('smashes few coins, where taking them in turn smashes half', () => {
    expect(halvedAfter).toBeLessThan(3_000);
    expect(pool.smashedAtMark).toBeLessThan(targetCoins / 4);
    expect((1_000 * pool.smashed) / pool.executed).toBeLessThan(20);
  });

  it('keeps its shape by splits and consolidations that cost a small part of the gas', () => {
    expect(pool.splits).toBeGreaterThan(0);
    expect(pool.consolidations).toBeGreaterThan(0);
    expect(pool.upkeepShare).toBeLessThan(0.05);
  });
});
