import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/system';
import { readPoolTotals } from '@forecourt/coin-store';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { adoptedPool } from './adopted-pool.test-support.js';
import {
  boundSplit,
  endLease,
  expectNoneBound,
  FUNDS,
  resolve,
} from './bound-split.test-support.js';

const fleet = useTestFleet();
afterEach(() => fleet.clearFaults());

const adopted = () => adoptedPool(fleet, FUNDS);

/** A pool whose split stays in maintenance, because its coin is locked until the epoch ends. */
async function lockedSplit(expirationEpoch?: bigint): Promise<TestPool> {
  const pool = await adopted();
  const { coins } = await boundSplit(pool, expirationEpoch);
  await fleet.lock(coins[0]!.objectId);
  await resolve(pool);
  expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.maintenance).toBe(1n);
  return pool;
}

/** Ends the epoch, and resolves the split. */
async function resolveInNextEpoch(pool: TestPool): Promise<void> {
  await fleet.advanceEpoch();
  await endLease(pool);
  await resolve(pool);
}

describe('a split with unknown outcome', () => {
  it.each([
    ['its answer was lost', { kind: 'loseReply', times: 1 }],
    ['it timed out and landed', { kind: 'transient', when: 'after', times: 1 }],
    ['it timed out and did not land', { kind: 'transient', when: 'never', times: 1 }],
  ])('keeps its coin in maintenance, and lands once: %s', async (_what, fault) => {
    const pool = await adopted();
    await fleet.fault({ ...fault, method: 'iota_executeTransactionBlock' });
    expect(await pool.filler.fill(pool.sponsor, 3, new AbortController().signal)).toBe(false);
    await endLease(pool);
    await resolve(pool);
    // Nine of the wanted size, and the remainder.
    await expectNoneBound(pool, 10n);
  });

  it('keeps its coin when a repetition is refused: the first submission may still land', async () => {
    const pool = await adopted();
    const { bytes, digest } = await boundSplit(pool);
    const refused = { kind: 'refused', message: 'Invalid user signature' } as const;
    const ledger: TestPool['ledger'] = { ...pool.ledger, submit: async () => refused };
    await resolve(pool.with({ ledger }));
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.maintenance).toBe(1n);
    await pool.ledger.submit(bytes, [await pool.signer.signTransaction(bytes)]);
    await endLease(pool);
    await resolve(pool);
    expect(await pool.ledger.findTransaction(digest)).not.toBeNull();
    await expectNoneBound(pool, 3n);
  });

  it('returns its coin once its last epoch has ended without it', async () => {
    const { epoch } = await fleet.ledger.status(0);
    const pool = await lockedSplit(epoch);
    await resolveInNextEpoch(pool);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins).toMatchObject({
      maintenance: 0n,
      treasury: 1n,
    });
    await expectNoneBound(pool, 0n);
  });

  it('is not submitted after a pause of its process until Redis confirms it again', async () => {
    const pool = await adopted();
    const { redis, sponsor } = pool;
    const { operationId, digest } = await boundSplit(pool);
    const bind = 'coinStore:bind-maintenance';
    const submitWithinMs = 200;
    // Redis loses the operation while the process is paused.
    const paused = Object.assign(Object.create(redis) as TestPool['redis'], {
      [bind]: async (...args: [string, ...string[]]) => {
        const bound = await redis[bind]!(...args);
        if (!bound) return bound;
        await redis.del(`fc:{${sponsor}}:operation:${operationId}`);
        const since = performance.now();
        await waitUntil(async () => performance.now() > since + submitWithinMs);
        return bound;
      },
    });
    await resolve(pool.with({ redis: paused, settings: { submitWithinMs } }));
    expect(await pool.ledger.findTransaction(digest)).toBeNull();
  });

  it('stays in maintenance while its coin is locked, and lands after the epoch has ended', async () => {
    const pool = await lockedSplit();
    await resolveInNextEpoch(pool);
    await expectNoneBound(pool, 3n);
  });
});
