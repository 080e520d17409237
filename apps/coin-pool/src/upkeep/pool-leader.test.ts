import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/system';
import { drainSponsor, readPoolTotals, reserveGas, undrainSponsor } from '@forecourt/coin-store';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();

const totals = (pool: TestPool) => readPoolTotals(pool.redis, pool.sponsor);
const lead = (pool: TestPool) =>
  pool.logged.filter(({ message }) => message === 'Pool leadership acquired').length;

describe('leading a pool', () => {
  it('is done by one process at a time; the next one fills the pool to its target', async () => {
    const pool = await fleet.aPool([2_000_000_000n], { targetCoins: 8, minCoins: 2 });
    const small = pool.with({ settings: { targetCoins: 4 } });
    const one = small.leader();
    one.start();
    await waitUntil(async () => (await totals(pool)).coins.available === 4n);
    const two = pool.with({ owner: randomUUID() }).leader();
    two.start();
    await fleet.mint(pool.sponsor, 5_000_000n);
    await waitUntil(async () => (await totals(pool)).coins.dust === 1n);
    expect(lead(pool)).toBe(1);
    expect((await totals(pool)).coins.available).toBe(4n);

    await one.stop();
    await waitUntil(async () => (await totals(pool)).coins.available === 8n);
    expect(lead(pool)).toBe(2);
    await two.stop();
  });

  it('audits the pool of an inactive sponsor, but fills it only once it serves', async () => {
    const small = { targetCoins: 4, minCoins: 4, auditMs: 200 };
    const pool = await fleet.aPool([2_000_000_000n], small);
    const { redis, sponsor, signer, keys } = pool;
    await drainSponsor(redis, sponsor, { reason: 'a', by: 'b', since: 1 });
    const audited = jest.spyOn(pool.metrics.audits, 'add');
    const leader = pool.leader();
    leader.start();
    await waitUntil(async () => audited.mock.calls.length > 0);
    expect((await totals(pool)).coins).toMatchObject({ treasury: 1n, available: 0n });
    keys.replace([]);
    await undrainSponsor(redis, sponsor);
    const before = audited.mock.calls.length;
    await waitUntil(async () => audited.mock.calls.length > before + 10);
    expect((await totals(pool)).coins).toMatchObject({ treasury: 1n, available: 0n });
    keys.replace([signer]);
    await waitUntil(async () => (await totals(pool)).coins.available === 4n);
    await leader.stop();
  });

  it('reads Redis once per look while the pool rests', async () => {
    const atRest = { targetCoins: 2, minCoins: 2, scanMs: 600_000 };
    const pool = await fleet.aPool([2_000_000_000n], atRest);
    const looked = jest.spyOn(pool.metrics.leading, 'set');
    const leader = pool.leader();
    leader.start();
    await waitUntil(async () => (await totals(pool)).coins.available === 2n);
    const looks = async (count: number) => {
      const target = looked.mock.calls.length + count;
      await waitUntil(async () => looked.mock.calls.length >= target);
    };
    // A completed filling starts once more to detect its completion.
    await looks(3);
    const scripts = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await pool.redis.info('commandstats'))![1]);
    const [before, lookedBefore] = [await scripts(), looked.mock.calls.length];
    await looks(3);
    const scriptCount = (await scripts()) - before;
    await leader.stop();
    expect(scriptCount).toBeLessThanOrEqual(looked.mock.calls.length - lookedBefore + 1);
  });

  it('expires reservations at their deadline', async () => {
    const pool = await fleet.aPool([150_000_000n], { targetCoins: 1, minCoins: 1 });
    await pool.correction.adoptNewCoins(pool.sponsor);
    const request = { caller: 'default', gasBudget: 1_000, durationMs: 1_000 };
    const [reserved] = await reserveGas(pool.redis, pool.sponsor, [request]);
    const leader = pool.leader();
    leader.start();
    await waitUntil(async () => (await totals(pool)).coins.available === 1n);
    const late = Date.now() - reserved!.deadlineMs;
    await leader.stop();
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(1_000);
  });
});
