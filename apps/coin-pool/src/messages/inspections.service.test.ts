import { describe, expect, it } from '@jest/globals';
import {
  claimReservations,
  registerSponsor,
  reserveGas,
  sponsorIndexOf,
} from '@forecourt/coin-store';
import { useTestFleet } from '../test-fleet.test-support.js';
import { waitUntil } from '@forecourt/testing/system';
import { only } from '@forecourt/testing/redis';

const fleet = useTestFleet();
const digest = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const claim = {
  digest,
  caller: 'shop',
  leaseMs: 60_000,
  txBytes: 'AAAA',
  userSig: 'AAAA',
  rule: 'drive',
  inputs: [],
  usage: [],
  waiter: { gateway: 'gw', requestType: 'waitForEffectsCert' },
} as const;

/** A pool in which one transaction is claimed. */
async function aClaim(transaction = digest) {
  const pool = await fleet.aPool([150_000_000n, 150_000_000n], { targetCoins: 2, minCoins: 1 });
  await pool.correction.adoptNewCoins(pool.sponsor);
  const request = { caller: 'shop', gasBudget: 1_000, durationMs: 60_000 };
  const [reserved] = await reserveGas(pool.redis, pool.sponsor, [request]);
  const { reservationId } = reserved as { reservationId: number };
  await only(
    claimReservations(pool.redis, pool.sponsor, [
      {
        ...claim,
        digest: transaction,
        reservationId,
      },
    ]),
  );
  return { pool, reservationId };
}

describe('operators’ requests to the coin-pool', () => {
  it('show every pool, with the replica that leads it and its spending', async () => {
    const { pool } = await aClaim();
    const other = await fleet.aPool([]);
    const leader = pool.leader();
    leader.start();
    const { inspections } = pool;
    const inspected = async () => {
      const { pools } = await inspections.inspect({ listed: 5 });
      return pools.find(({ sponsor }) => sponsor === pool.sponsor)!;
    };
    await waitUntil(async () => (await inspected()).hour !== null);
    const { leader: leading, transactions, hour, day } = await inspected();
    expect(leading).toBe(pool.owner);
    expect(transactions.map((one) => [one.digest, one.caller])).toEqual([[digest, 'shop']]);
    expect([hour!.spent, day!.spent]).toEqual(['0', '0']);
    const { pools } = await inspections.inspect({ listed: 0 });
    expect(pools.map(({ sponsor }) => sponsor)).toContain(other.sponsor);
    await leader.stop();
  });

  it('share one answer when they are concurrent', async () => {
    const { pool } = await aClaim();
    const { inspections } = pool;
    const [one, two, less] = [1, 1, 0].map((listed) => inspections.inspect({ listed }));
    expect(one).toBe(two);
    expect(less).not.toBe(one);
    await Promise.all([one, less]);
    expect(inspections.inspect({ listed: 1 })).not.toBe(one);
  });

  it('find a transaction by its digest in any pool, and by its reservation', async () => {
    // In no other pool.
    const only = 'GWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
    const { pool, reservationId } = await aClaim(only);
    await registerSponsor(pool.redis, `0x${'9'.repeat(64)}`);
    const { inspections } = pool;
    const byDigest = await inspections.explain({ digest: only });
    expect(byDigest.trace).toMatchObject({ reservationId, sponsor: pool.sponsor, rule: 'drive' });
    expect(byDigest.sponsors).toContain(pool.sponsor);
    expect((await inspections.explain({ reservationId })).trace).toEqual(byDigest.trace);
    expect((await inspections.explain({ digest: only.slice(1) })).trace).toBeNull();
    const unused = 64 * 1_000 + sponsorIndexOf(reservationId);
    expect((await inspections.explain({ reservationId: unused })).trace).toBeNull();
    expect((await inspections.explain({ reservationId: 63 })).trace).toBeNull();
  });
});
