import { describe, expect, it } from '@jest/globals';
import { readPoolTotals } from '@forecourt/coin-store';
import { type ForecourtError, readDto, ReserveGasMessage } from '@forecourt/contracts';
import { useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();

const reserveMessage: ReserveGasMessage = {
  caller: 'default',
  gasBudget: 5_000_000,
  durationSecs: 60,
};

async function aPoolOf(coins: number) {
  const pool = await fleet.aPool(Array<bigint>(coins).fill(50_000_000n));
  await pool.correction.adoptNewCoins(pool.sponsor);
  return pool;
}

/** Number of times that Redis has run a script by its hash. */
async function scriptCalls(): Promise<number> {
  const stats = await fleet.redis.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('reserving gas', () => {
  it('serves a burst of requests in few script calls, each with different coins', async () => {
    const pool = await aPoolOf(70);
    const { reserving } = pool;
    await reserving.reserve(reserveMessage);
    const before = await scriptCalls();
    const burst = await Promise.all(
      Array.from({ length: 69 }, () => reserving.reserve(reserveMessage)),
    );
    expect((await scriptCalls()) - before).toBe(2);
    const coins = burst.flatMap((reserved) => reserved.coins.map(({ objectId }) => objectId));
    expect(new Set(coins).size).toBe(69);
    expect(new Set(burst.map(({ reservationId }) => reservationId)).size).toBe(69);
  });

  it('fails only the requests of a burst that are invalid or find no coins', async () => {
    const pool = await aPoolOf(2);
    const { reserving } = pool;
    const ask = async (message: object) =>
      reserving.reserve(readDto(ReserveGasMessage, { ...reserveMessage, ...message }));
    const results = await Promise.allSettled([
      ask({}),
      ask({ gasBudget: Number.NaN }),
      ask({ gasBudget: 1_999_999_999 }),
      ask({ durationSecs: Number.NaN }),
      ask({}),
      ask({}),
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

  it('is refused for an unknown sponsor, and before the pools are open', async () => {
    const pool = await aPoolOf(1);
    const refused = { code: 'POOL_REFUSED' };
    const stranger = { ...reserveMessage, sponsor: `0x${'a'.repeat(64)}` };
    await expect(pool.reserving.reserve(stranger)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    pool.state.opened = false;
    await expect(pool.reserving.reserve(reserveMessage)).rejects.toMatchObject(refused);
    await expect(pool.inspections.check()).rejects.toMatchObject(refused);
  });
});

describe('the deep health check', () => {
  it('releases its coin at once, and many concurrent checks take one coin', async () => {
    const pool = await aPoolOf(1);
    const { inspections } = pool;
    await Promise.all(Array.from({ length: 50 }, () => inspections.check()));
    const { coins } = await readPoolTotals(pool.redis, pool.sponsor);
    expect(coins).toMatchObject({ reserved: 0n, available: 1n });
  });

  it('releases its coin also when the ledger does not answer', async () => {
    const pool = await aPoolOf(1);
    await fleet.fault({ kind: 'down', mode: 'reset' });
    try {
      await expect(pool.inspections.check()).rejects.toThrow('did not respond');
    } finally {
      await fleet.clearFaults();
    }
    const { coins } = await readPoolTotals(pool.redis, pool.sponsor);
    expect(coins).toMatchObject({ reserved: 0n, available: 1n });
    await pool.inspections.check();
  });

  it('fails with NO_COINS when the pool has no coin', async () => {
    const pool = await aPoolOf(0);
    await expect(pool.inspections.check()).rejects.toMatchObject({ code: 'NO_COINS' });
  });
});
