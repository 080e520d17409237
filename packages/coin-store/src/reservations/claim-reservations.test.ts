import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import {
  caller,
  claim,
  claimOf,
  reserve,
  retentionMs,
  rules,
  useTestStore,
  waiter,
} from '../pool.test-support.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { claimReservations } from './claim-reservations.js';
import { listInFlight } from './list-in-flight.js';
import { releaseClaim } from './release-reservations.js';
import { findReservation } from './reservation-lookups.js';

const store = useTestStore();

describe('claiming a reservation', () => {
  it('a claim binds the reservation to one digest: the same digest is known, another finds it used', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    expect(await claim(store.redis, sponsor, reservationId, 'D1')).toBe(1);
    const again = await only(
      claimReservations(store.redis, sponsor, [claimOf(reservationId, 'D1')]),
    );
    const other = await only(
      claimReservations(store.redis, sponsor, [claimOf(reservationId, 'D2')]),
    );
    expect([again.result, other.result]).toEqual(['known', 'used']);
  });

  it('exactly one of many simultaneous claims succeeds', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        only(claimReservations(store.redis, sponsor, [claimOf(reservationId, `D${i}`)])),
      ),
    );
    expect(claims.filter(({ result }) => result === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ result }) => result === 'used')).toHaveLength(19);
  });

  it('another caller can neither see nor claim a reservation', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    const stolen = claimOf(reservationId, 'D1', { caller: 'other' });
    expect((await only(claimReservations(store.redis, sponsor, [stolen]))).result).toBe('unknown');
    const query = { reservationId, caller: 'other', digest: 'D1', waiter };
    expect(await findReservation(store.redis, sponsor, query, rules)).toEqual({
      found: null,
      everHeld: true,
    });
    const missing = { ...query, reservationId: reservationId + 64 };
    expect(await findReservation(store.redis, sponsor, missing, rules)).toEqual({
      found: null,
      everHeld: false,
    });
  });

  it('a claim past the deadline is refused, whether or not the reservation was swept', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor, 1, 0);
    const late = await only(
      claimReservations(store.redis, sponsor, [claimOf(reservationId, 'D1')]),
    );
    expect(late.result).toBe('expired');
    const query = { reservationId, caller, digest: 'D1', waiter };
    const found = await findReservation(store.redis, sponsor, query, rules);
    expect(found.found?.state).toBe('expired');
  });

  it('makes several claims in one call one after the other, with any result of each', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
    const [one, two, three] = [
      await reserve(store.redis, sponsor),
      await reserve(store.redis, sponsor),
      await reserve(store.redis, sponsor),
    ];
    const key = `fc:{${sponsor}}:reservation:${two.reservationId}`;
    const stored = (await store.redis.get(key))!;
    await store.redis.set(key, stored.replace(/(default\t\d+\t)\d+/, '$1never'));
    const usage = {
      counter: 'a',
      counts: 'requests' as const,
      amount: '1',
      operator: '<=' as const,
      limit: '9',
      windowMs: 60_000,
      expected: true,
      held: true,
    };
    const inputs = ['0x1:5', '0x2:5'];
    const claims = [
      { ...claimOf(one.reservationId, 'D1'), inputs, usage: [usage, { ...usage, counter: 'b' }] },
      claimOf(two.reservationId, 'D2'),
      { ...claimOf(three.reservationId, 'D3'), inputs: ['0x2:5'] },
      { ...claimOf(three.reservationId, 'D3'), usage: [{ ...usage, limit: '0' }] },
      claimOf(three.reservationId, 'D3'),
      claimOf(one.reservationId, 'D1'),
    ];
    const { results } = await claimReservations(store.redis, sponsor, claims);
    expect(results).toEqual([
      { result: 'claimed', fence: 1 },
      expect.any(Error),
      { result: 'locked', input: '0x2:5', digest: 'D1' },
      { result: 'usage', usages: [{ counter: 'a', used: '1', endsInMs: expect.any(Number) }] },
      { result: 'claimed', fence: 1 },
      { result: 'known' },
    ]);
    await store.redis.set(key, stored);
    expect(await claim(store.redis, sponsor, two.reservationId, 'D2')).toBe(1);
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });

  it('a claim is released after its lease, and its late job is fenced off', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    const fence = await claim(store.redis, sponsor, reservationId, 'D1', 0);
    const overdue = { state: 'claimed', olderThanMs: 0, limit: 10 } as const;
    expect((await listInFlight(store.redis, sponsor, overdue)).listed).toEqual([
      { sponsor, reservationId, digest: 'D1', fence },
    ]);
    expect(await releaseClaim(store.redis, sponsor, { reservationId, fence, retentionMs })).toBe(
      'released',
    );
    expect(await claim(store.redis, sponsor, reservationId, 'D2')).toBe(fence + 1);
    expect(await releaseClaim(store.redis, sponsor, { reservationId, fence, retentionMs })).toBe(
      'changed',
    );
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });
});
