import { describe, expect, it, jest } from '@jest/globals';
import {
  beginExecutions,
  claimReservations,
  quarantineExecution,
  reserveGas,
} from '@forecourt/coin-store';
import { only } from '@forecourt/testing/redis';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { PoolState } from '../pool/pool-state.js';
import { OtherPoolQuarantines } from './other-pool-quarantines.js';

const fleet = useTestFleet();

/** A pool in which one transaction of each caller is in quarantine. */
async function aPool(...callers: string[]): Promise<TestPool> {
  const pool = await fleet.aPool(Array<bigint>(callers.length + 1).fill(50_000_000n));
  await pool.correction.adoptNewCoins(pool.sponsor);
  for (const caller of callers) await quarantine(pool, caller);
  return pool;
}

async function quarantine({ redis, sponsor }: TestPool, caller: string): Promise<void> {
  const request = { caller, gasBudget: 1_000, durationMs: 60_000 };
  const [reservation] = await reserveGas(redis, sponsor, [request]);
  const { reservationId } = reservation as { reservationId: number };
  const job = { reservationId, digest: `D${reservationId}`, fence: 1 };
  await only(
    claimReservations(redis, sponsor, [
      {
        ...job,
        caller,
        leaseMs: 60_000,
        txBytes: 'AAAA',
        userSig: 'AAAA',
        rule: '',
        inputs: [],
        usage: [],
        waiter: { gateway: 'gw', requestType: 'waitForEffectsCert' },
      },
    ]),
  );
  await only(beginExecutions(redis, sponsor, 'e', [job]));
  await quarantineExecution(redis, sponsor, { ...job, message: 'locked', epoch: 1n });
}

function quarantinesOf(...pools: TestPool[]): OtherPoolQuarantines {
  const state = new PoolState();
  for (const { sponsor } of pools) state.sponsors.add(sponsor);
  return new OtherPoolQuarantines(fleet.redis, state);
}

describe('the quarantines of a caller in other pools', () => {
  it('are those of every other pool, and of no other caller', async () => {
    const pools = [await aPool('shop'), await aPool('shop', 'shop', 'bank'), await aPool('bank')];
    const quarantines = quarantinesOf(...pools);
    const counts = async (caller: string) => {
      const all = pools.map(({ sponsor }) => quarantines.ages(caller, sponsor));
      return (await Promise.all(all)).map(({ length }) => length);
    };
    expect(await counts('shop')).toEqual([2, 1, 3]);
    expect(await counts('bank')).toEqual([2, 1, 1]);
    expect(await counts('other')).toEqual([0, 0, 0]);
  });

  it('are read again a second later', async () => {
    const [one, two] = [await aPool(), await aPool('shop')];
    const quarantines = quarantinesOf(one, two);
    expect(await quarantines.ages('shop', one.sponsor)).toHaveLength(1);
    await quarantine(two, 'shop');
    expect(await quarantines.ages('shop', one.sponsor)).toHaveLength(1);
    const later = performance.now() + 1_001;
    jest.spyOn(performance, 'now').mockReturnValueOnce(later);
    expect(await quarantines.ages('shop', one.sponsor)).toHaveLength(2);
  });

  it('are not asked for where there is one pool', async () => {
    const only = await aPool('shop');
    const quarantines = new OtherPoolQuarantines(fleet.redis, only.state);
    expect(await quarantines.ages('shop', 'another')).toEqual([]);
  });
});
