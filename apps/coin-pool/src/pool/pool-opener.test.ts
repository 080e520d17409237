import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/system';
import { openPool, readSuspension, registerSponsor } from '@forecourt/coin-store';
import { createLocalSigner } from '@forecourt/ledger';
import { useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();

const newSigner = () => {
  const key = Buffer.alloc(33);
  crypto.getRandomValues(key.subarray(1));
  return createLocalSigner(key.toString('base64'));
};

describe('opening the pools', () => {
  it('opens a pool for every sponsor, each with a different index, and is idempotent', async () => {
    const pool = await fleet.aPool([]);
    const sponsors = [pool.sponsor, newSigner().address, newSigner().address];
    await pool.opener.openAll(sponsors);
    await pool.opener.openAll(sponsors);
    const indexes = pool.logged.filter(({ message }) => message === 'Pool opened');
    expect(indexes).toHaveLength(6);
    expect(new Set(indexes.map(({ index }) => index)).size).toBe(3);
  });

  it('refuses a pool of another network: the error names both networks and the remedy', async () => {
    const pool = await fleet.aPool([]);
    const signer = newSigner();
    await registerSponsor(pool.redis, signer.address);
    await openPool(pool.redis, signer.address, 'deadbeef');
    const refused = await pool.opener.openAll([signer.address]).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
    for (const part of ['deadbeef', await pool.ledger.chainIdentifier(), 'LEDGER_URL', 'REDIS_URL'])
      expect((refused as Error).message).toContain(part);
  });

  it('suspends the pool of a sponsor that has paid for gas before, in an empty Redis', async () => {
    const pool = await fleet.aPool([2_000_000_000n], { targetCoins: 2, minCoins: 1 });
    await pool.opener.openAll([pool.sponsor]);
    expect(await readSuspension(pool.redis, pool.sponsor)).toBeNull();
    await pool.correction.adoptNewCoins(pool.sponsor);
    await pool.filler.fill(pool.sponsor, 2, new AbortController().signal);
    await pool.redis.del(...(await pool.redis.keys(`fc:{${pool.sponsor}}:*`)));
    await pool.opener.openAll([pool.sponsor]);
    expect(await readSuspension(pool.redis, pool.sponsor)).toBeNull();
    await pool.redis.del('fc:sponsors', ...(await pool.redis.keys(`fc:{${pool.sponsor}}:*`)));
    await pool.opener.openAll([pool.sponsor]);
    expect(await readSuspension(pool.redis, pool.sponsor)).toBeGreaterThan(0);
    await expect(pool.guard.check()).rejects.toMatchObject({ code: 'POOL_REFUSED' });
    expect(pool.logged).toContainEqual({
      message: expect.stringMatching(
        /^Redis is empty, .* with other data, it may have lost writes/,
      ),
      sponsor: pool.sponsor,
      suspendedMs: expect.any(Number),
    });
  });

  it('waits for a ledger node that does not answer yet, and logs that once', async () => {
    const pool = await fleet.aPool([]);
    await fleet.fault({ kind: 'down', mode: 'reset' });
    const opening = pool.opener.openAll([pool.sponsor]);
    await waitUntil(async () => pool.logged.length > 0);
    expect(pool.logged.map(({ message }) => message)).toEqual(['Waiting for the ledger node']);
    await fleet.clearFaults();
    await opening;
    expect(pool.logged.at(-1)).toMatchObject({ message: 'Pool opened', sponsor: pool.sponsor });
  });
});
