import { describe, expect, it } from '@jest/globals';
import { useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();

const REQUESTS = 200;

describe('a suspension of the pool', () => {
  it('refuses every request and is logged once, and once when it has ended', async () => {
    const pool = await fleet.aPool([50_000_000n]);
    const key = `fc:{${pool.sponsor}}:held`;
    await fleet.redis.set(key, Date.now() + 60_000);
    for (let request = 0; request < REQUESTS; request++) {
      await expect(pool.guard.check()).rejects.toMatchObject({ code: 'POOL_REFUSED' });
    }
    expect(pool.logged).toEqual([
      {
        message: 'Coins suspended: Redis may have lost writes',
        runId: expect.any(String),
        suspendedMs: expect.any(Number),
      },
    ]);
    await fleet.redis.del(key);
    await pool.guard.check();
    expect(pool.logged.slice(1)).toEqual([
      {
        message: 'Coins no longer suspended: Redis has what it must have',
        times: REQUESTS,
        seconds: expect.any(Number),
      },
    ]);
  });
});

describe('a pool that is added while the others serve', () => {
  it('is examined alone, so that they do not wait for it, and with them once it is open', async () => {
    const pool = await fleet.aPool([50_000_000n]);
    const { sponsor: added } = await fleet.aPool([50_000_000n]);
    await fleet.redis.set(`fc:{${added}}:server`, 'another');
    expect(await pool.guard.examineAdded(added)).toBeGreaterThan(0);
    await pool.guard.check();
    pool.state.sponsors.add(added);
    await expect(pool.guard.check()).rejects.toMatchObject({ code: 'POOL_REFUSED' });
  });
});
