import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  auditPool,
  beginExecutions,
  claimReservations,
  readPoolTotals,
  readSuspension,
  reserveGas,
} from '@forecourt/coin-store';
import {
  BATCH_JOB_VERSION,
  executeBatchJobId,
  executeTransactionJobId,
  executeTransactionJobOptions,
  JOB_VERSION,
} from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { encodeBase58 } from '@forecourt/ledger/base58';
import { only } from '@forecourt/testing/redis';
import { aClaimOf, type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { adoptedPool, coinsOnLedger, spend } from './adopted-pool.test-support.js';

const fleet = useTestFleet();

const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const coinsOf = async (pool: TestPool) => (await readPoolTotals(pool.redis, pool.sponsor)).coins;

/** A pool with one coin, which is reserved. */
async function reserved(): Promise<{ pool: TestPool; reservationId: number; coins: GasCoin[] }> {
  const pool = await adoptedPool(fleet, 150_000_000n);
  const { redis, sponsor } = pool;
  const request = { caller: 'default', gasBudget: 30_000_000, durationMs: 60_000 };
  const [reservation] = await reserveGas(redis, sponsor, [request]);
  const coins = await coinsOnLedger(pool);
  return { pool, reservationId: reservation!.reservationId, coins };
}

/** Claims it like a coin-pool that dies before it has enqueued the job. */
async function claim(pool: TestPool, reservationId: number, digest: string) {
  const { redis, sponsor } = pool;
  const claimed = await only(claimReservations(redis, sponsor, [aClaimOf(reservationId, digest)]));
  if (claimed.result !== 'claimed') throw new Error(claimed.result);
  return { sponsor, reservationId, digest, fence: claimed.fence };
}

describe('a claim whose lease has expired', () => {
  it('stays while it has a job, and is released when it has none', async () => {
    const { pool, reservationId } = await reserved();
    const { queue, sponsor } = pool;
    const execution = await claim(pool, reservationId, DIGEST);
    const jobId = executeTransactionJobId(execution);
    const job = { version: JOB_VERSION, ...execution } as const;
    await queue.add(queue.name, job, { ...executeTransactionJobOptions, jobId });
    await pool.sweeper.sweepClaims(sponsor);
    expect((await coinsOf(pool)).claimed).toBe(1n);
    await queue.remove(jobId);
    await pool.sweeper.sweepClaims(sponsor);
    expect(await coinsOf(pool)).toMatchObject({ claimed: 0n, reserved: 1n });
  });

  it('stays while it shares a job with others, and is released when that is lost', async () => {
    const { pool, reservationId } = await reserved();
    const { jobs, queue, redis, sponsor } = pool;
    const { digest, fence } = await claim(pool, reservationId, DIGEST);
    const claims = [
      { reservationId: 1, digest: 'D', fence: 1 },
      { reservationId, digest, fence },
    ];
    const job = { version: BATCH_JOB_VERSION, sponsor, claims };
    await jobs.addShared(job, {});
    await pool.sweeper.sweepClaims(sponsor);
    expect((await coinsOf(pool)).claimed).toBe(1n);
    expect(await pool.sweeper.listQueued(sponsor)).toEqual([1, reservationId]);
    await queue.remove(executeBatchJobId(job));
    await pool.sweeper.sweepClaims(sponsor);
    expect(await coinsOf(pool)).toMatchObject({ claimed: 0n, reserved: 1n });
    const left = await redis.hkeys(queue.toKey('shared'));
    expect(left).toEqual(['D-1-1']);
    await jobs.leaveShared(claims);
  });

  it('is released although more than a hundred older ones wait for executors', async () => {
    const pool = await adoptedPool(fleet, ...Array.from({ length: 131 }, () => 150_000_000n));
    const { jobs, redis, sponsor } = pool;
    const one = { caller: 'default', gasBudget: 30_000_000, durationMs: 60_000 };
    const reservations = await reserveGas(redis, sponsor, Array(131).fill(one) as (typeof one)[]);
    const claims = [];
    for (const reservation of reservations) {
      const digest = encodeBase58(randomBytes(32));
      claims.push(await claim(pool, reservation!.reservationId, digest));
    }
    const orphaned = claims.pop()!;
    await Promise.all(claims.map((queued) => jobs.add({ version: JOB_VERSION, ...queued })));
    await pool.sweeper.sweepClaims(sponsor);
    expect(await coinsOf(pool)).toMatchObject({ claimed: 130n, reserved: 1n });
    expect(await claim(pool, orphaned.reservationId, DIGEST)).toMatchObject({ fence: 2 });
    for (const queued of claims) await pool.queue.remove(executeTransactionJobId(queued));
    await pool.sweeper.sweepClaims(sponsor);
    expect(await coinsOf(pool)).toMatchObject({ claimed: 0n, reserved: 131n });
  });

  it('is executed when its transaction has landed, after any loss of writes in Redis', async () => {
    const { pool, reservationId, coins } = await reserved();
    const execution = await claim(pool, reservationId, await spend(pool, coins));
    await pool.sweeper.sweepClaims(pool.sponsor);
    expect((await coinsOf(pool)).claimed).toBe(1n);
    const job = await pool.queue.getJob(executeTransactionJobId(execution));
    expect(job?.data).toMatchObject(execution);
  });

  it('keeps the pool suspended for a limited time, until it is executed', async () => {
    const { pool, reservationId, coins } = await reserved();
    const { redis, sponsor } = pool;
    await claim(pool, reservationId, await spend(pool, coins));
    await redis.set(`fc:{${sponsor}}:held`, Date.now());
    await pool.with({ settings: { holdMs: 60_000 } }).recovery.endSuspension(sponsor);
    expect(await readSuspension(redis, sponsor)).not.toBeNull();
    await pool.with({ settings: { holdMs: 0 } }).recovery.endSuspension(sponsor);
    expect(await readSuspension(redis, sponsor)).toBeNull();
  });

  it('is released at the end of a suspension, and its coins return as the ledger shows them', async () => {
    const { pool, reservationId, coins } = await reserved();
    const { redis, sponsor, ledger } = pool;
    await claim(pool, reservationId, DIGEST);
    await spend(pool, coins);
    await redis.set(`fc:{${sponsor}}:held`, '1');
    await pool.recovery.endSuspension(sponsor);
    expect(await coinsOf(pool)).toMatchObject({ claimed: 0n, available: 1n });
    expect((await auditPool(redis, ledger, sponsor)).differences).toEqual([]);
  });
});

describe('an execution whose job is delayed', () => {
  /** Delayed by half a second, by an executor whose clock is this far ahead. */
  async function delayed(aheadMs: number) {
    const { pool, reservationId } = await reserved();
    const execution = await claim(pool, reservationId, DIGEST);
    await only(beginExecutions(pool.redis, pool.sponsor, 'one', [execution]));
    const { queue } = pool;
    const jobId = executeTransactionJobId(execution);
    const options = { ...executeTransactionJobOptions, jobId, delay: 500 };
    const job = await queue.add(queue.name, { version: JOB_VERSION, ...execution }, options);
    const due = (Date.now() + 500 + aheadMs) * 0x1000;
    await pool.redis.zadd(queue.toKey('delayed'), due, jobId);
    const settings = { requeueAfterMs: 0 };
    return { pool: pool.with({ settings }), sponsor: pool.sponsor, job };
  }

  it.each([90_000, -90_000])(
    'begins at once when a clock is wrong, ahead or behind: %i ms',
    async (aheadMs) => {
      const { pool, sponsor, job } = await delayed(aheadMs);
      await pool.sweeper.sweepExecutions(sponsor);
      expect(await job.getState()).toBe('waiting');
      await job.remove();
    },
  );

  it('keeps its delay otherwise', async () => {
    const { pool, sponsor, job } = await delayed(0);
    await pool.sweeper.sweepExecutions(sponsor);
    expect(await job.getState()).toBe('delayed');
    await job.remove();
  });
});
