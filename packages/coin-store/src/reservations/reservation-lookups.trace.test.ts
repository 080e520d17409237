import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginNew } from '../executions/execution.test-support.js';
import { quarantineExecution } from '../executions/quarantines.js';
import { refuseExecution } from '../executions/unsettled-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import {
  aCoin,
  caller,
  claim,
  claimOf,
  reserve,
  retentionMs,
  rules,
  useTestStore,
} from '../pool.test-support.js';
import { claimReservations } from './claim-reservations.js';
import { releaseReservation } from './release-reservations.js';
import { findDigest, traceReservation } from './reservation-lookups.js';

const store = useTestStore();

const begin = async (sponsor: string, digest: string) =>
  (await beginNew(store.redis, sponsor, digest)).job;

describe('the trace of a reservation', () => {
  it('is null for an unknown reservation', async () => {
    const { sponsor } = await store.aPool(700_000);
    expect(await traceReservation(store.redis, sponsor, 64)).toBeNull();
  });

  it('shows caller, deadline and coins of an unused reservation', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId, coins, deadlineMs } = await reserve(store.redis, sponsor);
    const [{ objectId, version, digest }] = coins as [(typeof coins)[number]];
    expect(await traceReservation(store.redis, sponsor, reservationId)).toEqual({
      reservationId,
      sponsor,
      caller,
      state: 'reserved',
      gasBudget: 500_000,
      durationSecs: 60,
      deadlineMs,
      coins: [{ objectId, version, digest }],
      digest: null,
      fence: 0,
      leaseEndsMs: null,
      begunMs: null,
      executor: null,
      isResumed: false,
      rule: null,
      waiters: 0,
      usage: [],
      refusal: null,
      keptForMs: null,
    });
  });

  it('shows a reservation past its deadline as expired before it is swept', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor, 500_000, 0);
    const trace = await traceReservation(store.redis, sponsor, reservationId);
    expect(trace!.state).toBe('expired');
  });

  it('shows transaction, rule, lease, waiters and held limits of a claim', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000);
    const usage = {
      counter: 'budget of shop',
      counts: 'gas',
      amount: '500',
      operator: '<=',
      limit: '9000',
      windowMs: 60_000,
      expected: true,
      held: true,
    } as const;
    for (const digest of ['D1', 'D2']) {
      const { reservationId } = await reserve(store.redis, sponsor);
      const inputs = digest === 'D1' ? ['0x1:5'] : [];
      const request = { leaseMs: 5_000, rule: 'drive', inputs, usage: [usage] };
      await only(
        claimReservations(store.redis, sponsor, [claimOf(reservationId, digest, request)]),
      );
    }
    const first = await findDigest(store.redis, sponsor, 'D1');
    expect(await traceReservation(store.redis, sponsor, first!)).toMatchObject({
      state: 'claimed',
      digest: 'D1',
      fence: 1,
      rule: 'drive',
      waiters: 1,
      leaseEndsMs: expect.any(Number),
      usage: [{ counter: 'budget of shop', counts: 'gas', amount: '500', used: '1000' }],
    });
  });

  it('shows the executor of an execution, and reason and epoch of a quarantine', async () => {
    const { sponsor } = await store.aPool(700_000);
    const execution = await begin(sponsor, 'D');
    const { reservationId } = execution;
    expect(await traceReservation(store.redis, sponsor, reservationId)).toMatchObject({
      state: 'executing',
      executor: 'ex-1',
      begunMs: expect.any(Number),
      isResumed: false,
    });
    const quarantine = { ...execution, message: 'held\nfast', epoch: 4n };
    await quarantineExecution(store.redis, sponsor, quarantine);
    await quarantineExecution(store.redis, sponsor, { ...quarantine, movedOnBy: 'OWN' });
    expect(await traceReservation(store.redis, sponsor, reservationId)).toMatchObject({
      state: 'quarantined',
      refusal: { digest: 'D', message: 'held\nfast', epoch: 4, movedOnBy: 'OWN' },
      keptForMs: null,
    });
  });

  it('shows the digest of an ended reservation, which is kept for a while', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000);
    const execution = await begin(sponsor, 'D');
    const settlement = { outcome: 'executed', gasCharged: 7n, cost: 7n, rules } as const;
    const returned = [aCoin(699_000)];
    await only(
      settleExecutions(store.redis, sponsor, [
        {
          ...execution,
          ...settlement,
          returned,
          retentionMs,
        },
      ]),
    );
    const executed = await traceReservation(store.redis, sponsor, execution.reservationId);
    expect(executed).toMatchObject({ state: 'executed', digest: 'D', caller, coins: [] });
    expect(executed!.keptForMs).toBeGreaterThan(retentionMs / 2);
    const { reservationId } = await reserve(store.redis, sponsor);
    await releaseReservation(store.redis, sponsor, { reservationId, caller, retentionMs });
    const released = await traceReservation(store.redis, sponsor, reservationId);
    expect([released!.state, released!.digest]).toEqual(['released', null]);
  });

  it('shows a refusal by the ledger until the reservation is claimed again', async () => {
    const { sponsor } = await store.aPool(700_000);
    const execution = await begin(sponsor, 'D1');
    const refused = { ...execution, message: 'too cheap', retentionMs };
    await refuseExecution(store.redis, sponsor, refused);
    const { reservationId } = execution;
    expect(await traceReservation(store.redis, sponsor, reservationId)).toMatchObject({
      state: 'reserved',
      digest: null,
      refusal: { digest: 'D1', message: 'too cheap', epoch: null, movedOnBy: null },
    });
    await claim(store.redis, sponsor, reservationId, 'D2');
    expect(await traceReservation(store.redis, sponsor, reservationId)).toMatchObject({
      digest: 'D2',
      fence: 2,
      refusal: null,
    });
    // Both name it: the first was for the same reservation.
    expect(await findDigest(store.redis, sponsor, 'D1')).toBe(reservationId);
    expect(await findDigest(store.redis, sponsor, 'D2')).toBe(reservationId);
  });
});

describe('finding the reservation of a transaction', () => {
  it('returns null for an unknown digest, or a part of one', async () => {
    const { sponsor } = await store.aPool(700_000);
    await begin(sponsor, 'DIGEST');
    for (const digest of ['OTHER', 'DIGES', 'default', '']) {
      expect(await findDigest(store.redis, sponsor, digest)).toBeNull();
    }
  });

  it('lists a transaction by its digest for ten minutes after the deadline', async () => {
    const { sponsor } = await store.aPool(700_000);
    await begin(sponsor, 'D');
    const keptMs = await store.redis.pttl(`fc:{${sponsor}}:claimed-by:D`);
    expect(keptMs).toBeGreaterThan(650_000);
    expect(keptMs).toBeLessThanOrEqual(660_000);
  });

  it('finds a transaction in flight that is no longer listed, among any number', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await begin(sponsor, 'D');
    await store.redis.del(`fc:{${sponsor}}:claimed-by:D`);
    const others = Array.from({ length: 250 }, (_, i) => [i + 1, `${(i + 1) * 64}|1|1`]).flat();
    await store.redis.zadd(`fc:{${sponsor}}:executing`, ...(others as string[]));
    expect(await findDigest(store.redis, sponsor, 'D')).toBe(reservationId);
  });
});
