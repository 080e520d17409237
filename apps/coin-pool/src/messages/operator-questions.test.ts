import { describe, expect, it, jest } from '@jest/globals';
import {
  claimReservation,
  registerSponsor,
  reserveGas,
  sponsorIndexOf,
} from '@forecourt/coin-store';
import { adoptNewCoins } from '../filling/adopt-new-coins.js';
import { PoolLeader } from '../leadership/pool-leader.js';
import { useTestFleet } from '../pool.test-support.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { waitUntil } from '@forecourt/testing/system';
import { ExplainTransaction } from './explain-transaction.js';
import { InspectPools } from './inspect-pools.js';

jest.setTimeout(60_000);
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
  await adoptNewCoins(pool, pool.sponsor);
  const request = { caller: 'shop', gasBudget: 1_000, durationMs: 60_000 };
  const [reserved] = await reserveGas(pool.redis, pool.sponsor, [request]);
  const { reservationId } = reserved as { reservationId: number };
  await claimReservation(pool.redis, pool.sponsor, {
    ...claim,
    digest: transaction,
    reservationId,
  });
  return { pool, reservationId };
}

describe('operators’ requests to the coin-pool', () => {
  it('show every pool, with the replica that leads it and its spending', async () => {
    const { pool } = await aClaim();
    const other = await fleet.aPool([]);
    const leader = new PoolLeader(pool, pool.sponsor);
    leader.start();
    const inspect = new InspectPools(pool.redis);
    const inspected = async () => {
      const { pools } = await inspect.run({ listed: 5 });
      return pools.find(({ sponsor }) => sponsor === pool.sponsor)!;
    };
    await waitUntil(async () => (await inspected()).hour !== null);
    const { leader: leading, transactions, hour, day } = await inspected();
    expect(leading).toBe(pool.owner);
    expect(transactions.map((one) => [one.digest, one.caller])).toEqual([[digest, 'shop']]);
    expect([hour!.spent, day!.spent]).toEqual(['0', '0']);
    const { pools } = await inspect.run({ listed: 0 });
    expect(pools.map(({ sponsor }) => sponsor)).toContain(other.sponsor);
    await leader.stop();
  });

  it('share one answer when they are concurrent', async () => {
    const { pool } = await aClaim();
    const inspect = new InspectPools(pool.redis);
    const [one, two, less] = [1, 1, 0].map((listed) => inspect.run({ listed }));
    expect(one).toBe(two);
    expect(less).not.toBe(one);
    await Promise.all([one, less]);
    expect(inspect.run({ listed: 1 })).not.toBe(one);
  });

  it('find a transaction by its digest in any pool, and by its reservation', async () => {
    // In no other pool.
    const only = 'GWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
    const { pool, reservationId } = await aClaim(only);
    await registerSponsor(pool.redis, `0x${'9'.repeat(64)}`);
    const explain = new ExplainTransaction(pool.redis, new SponsorDirectory(pool.redis));
    const byDigest = await explain.run({ digest: only });
    expect(byDigest.trace).toMatchObject({ reservationId, sponsor: pool.sponsor, rule: 'drive' });
    expect(byDigest.sponsors).toContain(pool.sponsor);
    expect((await explain.run({ reservationId })).trace).toEqual(byDigest.trace);
    expect((await explain.run({ digest: only.slice(1) })).trace).toBeNull();
    const unused = 64 * 1_000 + sponsorIndexOf(reservationId);
    expect((await explain.run({ reservationId: unused })).trace).toBeNull();
    expect((await explain.run({ reservationId: 63 })).trace).toBeNull();
  });
});
