import { describe, expect, it, jest } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/system';
import { openPool, readSuspension, registerSponsor } from '@forecourt/coin-store';
import { createLocalSigner } from '@forecourt/ledger';
import { adoptNewCoins, fillPool } from '../filling/index.js';
import { useTestFleet } from '../pool.test-support.js';
import { openPools, WrongNetwork } from './open-pools.js';

jest.setTimeout(60_000);
const fleet = useTestFleet();

const newSigner = () => {
  const key = Buffer.alloc(33);
  crypto.getRandomValues(key.subarray(1));
  return createLocalSigner(key.toString('base64'));
};

describe('opening the pools', () => {
  it('opens a pool for every sponsor, each with a different index, and is idempotent', async () => {
    const pool = await fleet.aPool([]);
    const signers = [pool.signers[0]!, newSigner(), newSigner()];
    await openPools({ ...pool, signers });
    await openPools({ ...pool, signers });
    const indexes = pool.logged.filter(({ message }) => message === 'Pool opened');
    expect(indexes).toHaveLength(6);
    expect(new Set(indexes.map(({ index }) => index)).size).toBe(3);
  });

  it('refuses a pool of another network: the error names both networks and the remedy', async () => {
    const pool = await fleet.aPool([]);
    const signer = newSigner();
    await registerSponsor(pool.redis, signer.address);
    await openPool(pool.redis, signer.address, 'deadbeef');
    const refused = await openPools({ ...pool, signers: [signer] }).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(WrongNetwork);
    for (const part of ['deadbeef', await pool.ledger.chainIdentifier(), 'LEDGER_URL', 'REDIS_URL'])
      expect((refused as Error).message).toContain(part);
  });

  it('suspends the pool of a sponsor that has paid for gas before, in an empty Redis', async () => {
    const pool = await fleet.aPool([2_000_000_000n], { targetCoins: 2, minCoins: 1 });
    await openPools(pool);
    expect(await readSuspension(pool.redis, pool.sponsor)).toBeNull();
    await adoptNewCoins(pool, pool.sponsor);
    await fillPool(pool, pool.sponsor, 2, new AbortController().signal);
    await pool.redis.del(...(await pool.redis.keys(`fc:{${pool.sponsor}}:*`)));
    await openPools(pool);
    expect(await readSuspension(pool.redis, pool.sponsor)).toBeNull();
    await pool.redis.del('fc:sponsors', ...(await pool.redis.keys(`fc:{${pool.sponsor}}:*`)));
    await openPools(pool);
    expect(await readSuspension(pool.redis, pool.sponsor)).toBeGreaterThan(0);
    await expect(pool.guard.check()).rejects.toMatchObject({ code: 'POOL_REFUSED' });
  });

  it('waits for a ledger node that does not answer yet, and logs that once', async () => {
    const pool = await fleet.aPool([]);
    await fleet.fault({ kind: 'down', mode: 'reset' });
    const opening = openPools(pool);
    await waitUntil(async () => pool.logged.length > 0);
    expect(pool.logged.map(({ message }) => message)).toEqual(['Waiting for the ledger node']);
    await fleet.clearFaults();
    await opening;
    expect(pool.logged.at(-1)).toMatchObject({ message: 'Pool opened', sponsor: pool.sponsor });
  });
});
