import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readPoolTotals } from '@forecourt/coin-store';
import type { ForecourtError, ReserveGasMessage } from '@forecourt/contracts';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { startTestFleet, type TestFleet } from '../pool.test-support.js';
import { CheckPool } from './check-pool.js';
import { ReserveGas } from './reserve-gas.js';

jest.setTimeout(60_000);
let fleet: TestFleet;
beforeAll(async () => {
  fleet = await startTestFleet();
});
afterAll(() => fleet.stop());

const asked: ReserveGasMessage = { caller: 'default', gasBudget: 5_000_000, durationSecs: 60 };

async function aPoolOf(coins: number) {
  const pool = await fleet.aPool(Array<bigint>(coins).fill(50_000_000n));
  await adoptNewCoins(pool, pool.sponsor);
  return pool;
}

/** How often Redis has run a script by its hash. */
async function scriptCalls(): Promise<number> {
  const stats = await fleet.redis.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('reserving gas', () => {
  it('answers a burst in few calls, each with coins of its own', async () => {
    const pool = await aPoolOf(70);
    const reserving = new ReserveGas(pool);
    await reserving.run(asked);
    const before = await scriptCalls();
    const burst = await Promise.all(Array.from({ length: 69 }, () => reserving.run(asked)));
    expect((await scriptCalls()) - before).toBe(2);
    const coins = burst.flatMap((reserved) => reserved.coins.map(({ objectId }) => objectId));
    expect(new Set(coins).size).toBe(69);
    expect(new Set(burst.map(({ reservationId }) => reservationId)).size).toBe(69);
  });

  it('fails only those of a burst for whom nothing is there, or who ask for nothing', async () => {
    const pool = await aPoolOf(2);
    const reserving = new ReserveGas(pool);
    const results = await Promise.allSettled([
      reserving.run(asked),
      reserving.run({ ...asked, gasBudget: Number.NaN }),
      reserving.run({ ...asked, gasBudget: 1_999_999_999 }),
      reserving.run({ ...asked, durationSecs: Number.NaN }),
      reserving.run(asked),
      reserving.run(asked),
    ]);
    const codeOf = (error: unknown) => (error as ForecourtError).code;
    expect(
      results.map((one) => (one.status === 'fulfilled' ? 'reserved' : codeOf(one.reason))),
    ).toEqual([
      'reserved',
      'INVALID_REQUEST',
      'NO_COINS',
      'INVALID_REQUEST',
      'reserved',
      'NO_COINS',
    ]);
    const { coins } = await readPoolTotals(pool.redis, pool.sponsor);
    expect(coins).toMatchObject({ reserved: 2n, available: 0n });
  });

  it('is refused for a sponsor that is not the pool’s, and before the pool is open', async () => {
    const pool = await aPoolOf(1);
    const refused = { code: 'POOL_REFUSED' };
    const stranger = { ...asked, sponsor: `0x${'a'.repeat(64)}` };
    await expect(new ReserveGas(pool).run(stranger)).rejects.toMatchObject(refused);
    pool.state.opened = false;
    await expect(new ReserveGas(pool).run(asked)).rejects.toMatchObject(refused);
    await expect(new CheckPool(pool).run()).rejects.toMatchObject(refused);
  });
});

describe('the deep check', () => {
  it('gives its coin back at once, and many at a time take one coin between them', async () => {
    const pool = await aPoolOf(1);
    const checking = new CheckPool(pool);
    await Promise.all(Array.from({ length: 50 }, () => checking.run()));
    const { coins } = await readPoolTotals(pool.redis, pool.sponsor);
    expect(coins).toMatchObject({ reserved: 0n, available: 1n });
  });

  it('gives its coin back also when the ledger does not answer', async () => {
    const pool = await aPoolOf(1);
    await fleet.fault({ kind: 'down', mode: 'reset' });
    try {
      await expect(new CheckPool(pool).run()).rejects.toThrow('did not answer');
    } finally {
      await fleet.clearFaults();
    }
    const { coins } = await readPoolTotals(pool.redis, pool.sponsor);
    expect(coins).toMatchObject({ reserved: 0n, available: 1n });
    await new CheckPool(pool).run();
  });

  it('says so when there is no coin', async () => {
    const pool = await aPoolOf(0);
    await expect(new CheckPool(pool).run()).rejects.toMatchObject({ code: 'NO_COINS' });
  });
});
