import { describe, expect, it } from '@jest/globals';
import { prepareCoinStore } from '@forecourt/coin-store';
import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from '@forecourt/ledger';
import { useRedis } from '@forecourt/testing/jest';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { type Demand, TARGET_BALANCE } from './demands.js';
import { simulatePool } from './simulate-pool.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

const LEAST_COMPUTATION = MIN_COMPUTATION_UNITS * 1_000n;
const MAX_NEW_OBJECTS = 8n;

const rarely = <T>(rare: fc.Arbitrary<T>, usual: T) =>
  fc.oneof({ weight: 1, arbitrary: rare }, { weight: 9, arbitrary: fc.constant(usual) });

/** Budgets of one coin and of many, used up or hardly touched; objects made and deleted. */
const demand: fc.Arbitrary<Demand> = fc
  .record({
    gasBudget: fc.oneof(
      fc.integer({ min: 2_000_000, max: 30_000_000 }),
      fc.integer({ min: 30_000_000, max: 95_000_000 }),
      fc.integer({ min: 95_000_000, max: 1_999_999_999 }),
    ),
    used: fc.constantFrom(0n, 1n, 5n, 90n, 100n),
    made: fc.bigInt({ min: 0n, max: MAX_NEW_OBJECTS }),
    deleted: rarely(fc.bigInt({ min: 1n, max: 4n * MAX_NEW_OBJECTS }), 0n),
    isReleased: rarely(fc.constant(true), false),
  })
  .map(({ gasBudget, used, made, deleted, isReleased }) => {
    const budget = BigInt(gasBudget);
    const part = (budget * used) / 100n;
    const computation = part > LEAST_COMPUTATION ? part : LEAST_COMPUTATION;
    const wanted = made * COIN_STORAGE_COST;
    const storage = wanted < budget - computation ? wanted : budget - computation;
    const rebate = deleted * COIN_STORAGE_COST;
    return { gasBudget, isReleased, computation, storage, rebate, succeeds: true };
  });

describe('sponsorCost over a simulation', () => {
  it('counts at least the sponsor’s loss once its pool has its shape again', async () => {
    let seed = 10;
    let severalCoins = 0;
    let consolidations = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(demand, { minLength: 40, maxLength: 300, size: 'max' }),
        fc.integer({ min: 4, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 2, max: 20 }),
        async (demands, targetCoins, minShare, consolidateAt) => {
          await redis.flushall();
          let next = 0;
          const { counted, lost, differences, ...made } = await simulatePool(redis, {
            transactions: demands.length * 3,
            seed: (seed += 1) % 200,
            targetCoins,
            minCoins: Math.ceil(targetCoins * minShare),
            mark: 0,
            consolidateAt,
            upkeepEvery: 32,
            funds: Array<bigint>(6).fill(10_000n * TARGET_BALANCE),
            nextDemand: () => demands[next++ % demands.length]!,
          });
          severalCoins += made.paidWithSeveral;
          consolidations += made.consolidations;
          expect(differences).toEqual([]);
          expect(counted).toBeGreaterThanOrEqual(lost);
        },
      ),
      { numRuns: 40, interruptAfterTimeLimit: 40_000 },
    );
    expect(severalCoins).toBeGreaterThan(100);
    expect(consolidations).toBeGreaterThan(0);
  });
});
