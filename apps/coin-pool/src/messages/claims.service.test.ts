import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  beginExecutions,
  findReservation,
  placementRules,
  reserveGas,
} from '@forecourt/coin-store';
import type { ClaimReservationMessage } from '@forecourt/contracts';
import { partial } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import { InputLocks } from '../pool/input-locks.js';
import { aClaimOf, type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { ClaimsService } from './claims.service.js';
import { ExecutionJobs } from './execution-jobs.js';
import { OtherPoolQuarantines } from './other-pool-quarantines.js';

const fleet = useTestFleet();

/** A pool, the message that claims its only reservation, and claims whose jobs `add` takes. */
async function aClaim(add: (pool: TestPool) => ConstructorParameters<typeof ExecutionJobs>[0]) {
  const pool = await fleet.aPool([50_000_000n]);
  const { redis, registered, reservations, settings, state, guard, logger, sponsor } = pool;
  await pool.correction.adoptNewCoins(sponsor);
  const request = { caller: 'shop', gasBudget: 1_000, durationMs: 60_000 };
  const [reserved] = await reserveGas(redis, sponsor, [request]);
  const digest = randomBytes(32).toString('hex');
  const claim = aClaimOf(reserved!.reservationId, digest, { caller: 'shop' });
  const message: ClaimReservationMessage = { ...claim, facts: '', requestId: 'r-1' };
  const claims = new ClaimsService(
    redis,
    settings,
    registered,
    reservations,
    guard,
    new InputLocks(redis),
    new OtherPoolQuarantines(redis, state),
    pool.thresholds,
    new ExecutionJobs(add(pool), logger),
  );
  const find = async () =>
    (await findReservation(redis, sponsor, message, placementRules(1n))).found;
  return { pool, message, claims, find };
}

describe('ClaimsService', () => {
  it('enqueues the job of a claim before it answers', async () => {
    const { pool, message, claims } = await aClaim(({ jobs }) => jobs);
    const claimed = await claims.claim(message);
    expect(claimed).toEqual({ claimed: true, sponsor: pool.sponsor, fence: 1 });
    const job = await pool.queue.getJob(`${message.digest}-${message.reservationId}-1`);
    expect(job).toMatchObject({ data: { requestId: 'r-1', fence: 1 }, opts: { priority: 1 } });
  });

  it('adds the job again for a call that finds the claim without one, as its coin-pool died', async () => {
    const { pool, message, claims } = await aClaim(({ jobs }) => jobs);
    await claims.claim(message);
    const id = `${message.digest}-${message.reservationId}-1`;
    await (await pool.queue.getJob(id))!.remove();
    await claims.enqueueAgain({ ...message, digest: 'another' });
    await claims.enqueueAgain({ ...message, caller: 'another' });
    expect(await pool.queue.getJob(id)).toBeUndefined();
    await claims.enqueueAgain(message);
    expect(await pool.queue.getJob(id)).toMatchObject({ data: { requestId: 'r-1' } });
  });

  it('does not add a job for a transaction that has begun', async () => {
    const { pool, message, claims } = await aClaim(({ jobs }) => jobs);
    await claims.claim(message);
    const id = `${message.digest}-${message.reservationId}-1`;
    await (await pool.queue.getJob(id))!.remove();
    const { redis, sponsor } = pool;
    await only(beginExecutions(redis, sponsor, 'one', [{ ...message, fence: 1 }]));
    await claims.enqueueAgain(message);
    expect(await pool.queue.getJob(id)).toBeUndefined();
  });

  it('does not call a reservation unknown while coins are suspended', async () => {
    const { pool, message, claims } = await aClaim(({ jobs }) => jobs);
    const unknown = { ...message, reservationId: Number.MAX_SAFE_INTEGER };
    const key = `fc:{${pool.sponsor}}:held`;
    await fleet.redis.set(key, Date.now() + 60_000);
    await expect(claims.claim(unknown)).rejects.toMatchObject({ code: 'POOL_REFUSED' });
    await fleet.redis.del(key);
    await expect(claims.claim(unknown)).rejects.toMatchObject({ code: 'RESERVATION_UNKNOWN' });
  });

  it('leaves the claim and its outcome open when the queue does not answer', async () => {
    const down = () => Promise.reject(new Error('connection lost'));
    const lost = { add: down, addAgain: down, addShared: down, find: down };
    const { message, claims, find } = await aClaim(() => partial(lost));
    await expect(claims.claim(message)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await find()).toMatchObject({ state: 'claimed', digest: message.digest });
  });
});
