import { describe, expect, it } from '@jest/globals';
import {
  caller,
  claim,
  reserve,
  retentionMs,
  rules,
  useTestStore,
  waiter,
} from '../pool.test-support.js';
import { snapshotPool } from '../pool/snapshot-pool.js';
import { reclaimClaim } from '../sweeping/reclaim-claim.js';
import { listOverdueClaims } from '../sweeping/list-in-flight.js';
import { claimReservation } from './claim-reservation.js';
import { findReservation } from './find-reservation.js';

const store = useTestStore();

const claimOf = (reservationId: number, digest: string, who = caller) => ({
  reservationId,
  caller: who,
  digest,
  waiter,
  leaseMs: 30_000,
  txBytes: 'AAAA',
  userSig: 'BBBB',
  usage: [],
  rule: '',
  inputs: [],
});

describe('claiming a reservation', () => {
  it('binds it to one digest: the same again is known, another finds it used', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    expect(await claim(store.redis, sponsor, reservationId, 'D1')).toBe(1);
    const again = await claimReservation(store.redis, sponsor, claimOf(reservationId, 'D1'));
    const other = await claimReservation(store.redis, sponsor, claimOf(reservationId, 'D2'));
    expect([again.result, other.result]).toEqual(['known', 'used']);
  });

  it('lets exactly one of many claims at once through', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        claimReservation(store.redis, sponsor, claimOf(reservationId, `D${i}`)),
      ),
    );
    expect(claims.filter(({ result }) => result === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ result }) => result === 'used')).toHaveLength(19);
  });

  it('shows another caller nothing and gives it nothing', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    const stolen = claimOf(reservationId, 'D1', 'other');
    expect((await claimReservation(store.redis, sponsor, stolen)).result).toBe('unknown');
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

  it('is refused past the deadline, swept or not', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor, 1, 0);
    const late = await claimReservation(store.redis, sponsor, claimOf(reservationId, 'D1'));
    expect(late.result).toBe('expired');
    const query = { reservationId, caller, digest: 'D1', waiter };
    const found = await findReservation(store.redis, sponsor, query, rules);
    expect(found.found?.state).toBe('expired');
  });

  it('comes back after its lease, and its late job is fenced off', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    const fence = await claim(store.redis, sponsor, reservationId, 'D1', 0);
    expect(await listOverdueClaims(store.redis, sponsor, 10)).toEqual([
      { sponsor, reservationId, digest: 'D1', fence },
    ]);
    expect(await reclaimClaim(store.redis, sponsor, { reservationId, fence, retentionMs })).toBe(
      true,
    );
    expect(await claim(store.redis, sponsor, reservationId, 'D2')).toBe(fence + 1);
    expect(await reclaimClaim(store.redis, sponsor, { reservationId, fence, retentionMs })).toBe(
      false,
    );
    expect((await snapshotPool(store.redis, sponsor)).faults).toEqual([]);
  });
});
