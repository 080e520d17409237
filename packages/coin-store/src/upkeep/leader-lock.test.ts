import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { aLead, claim, reserve, useTestStore } from '../pool.test-support.js';
import { drainSponsor } from '../pool/drains.js';
import { readPoolTotals } from '../pool/pool-totals.js';
import { listSponsors, registerSponsor } from '../pool/sponsor-registry.js';
import { openPool } from '../pool/stored-version.js';
import { checkRedisRestart } from '../pool/suspension.js';
import { type DueUpkeep, releaseLead, takeLead } from './leader-lock.js';
import { beginMaintenance } from './maintenance-operations.js';
import { endWithdrawal, orderWithdrawal } from './withdrawals.js';

const store = useTestStore();

async function lookAsLeader(sponsor: string): Promise<DueUpkeep> {
  const due = await takeLead(store.redis, sponsor, aLead('leader'));
  if (due === null) throw new Error('another leads');
  return due;
}

const atRest = {
  suspendedMs: null,
  expiryMs: null,
  goneCoins: 0,
  endedLocks: 0,
  overdueClaims: 0,
  overdueExecutions: 0,
  overdueMaintenance: 0,
  isDrained: false,
  isWithdrawing: false,
  isWhole: true,
  totals: expect.anything(),
};

describe('the lead of a pool', () => {
  it('has one owner, who may renew it, until it is released', async () => {
    const { sponsor } = await store.aPool();
    const leads = async (owner: string) =>
      (await takeLead(store.redis, sponsor, aLead(owner))) !== null;
    expect([await leads('a'), await leads('a'), await leads('b')]).toEqual([true, true, false]);
    expect(await releaseLead(store.redis, sponsor, 'b')).toBe(false);
    expect(await releaseLead(store.redis, sponsor, 'a')).toBe(true);
    expect([await leads('b'), await leads('a')]).toEqual([true, false]);
  });

  it('ends unless it is renewed in time, and a renewal begins its time anew', async () => {
    const { sponsor } = await store.aPool();
    const lock = `fc:{${sponsor}}:lock:leader`;
    await takeLead(store.redis, sponsor, aLead('a'));
    await store.redis.pexpire(lock, 100);
    await takeLead(store.redis, sponsor, aLead('a'));
    expect(await store.redis.pttl(lock)).toBeGreaterThan(4_000);
    await store.redis.pexpire(lock, 0);
    expect(await takeLead(store.redis, sponsor, aLead('b'))).not.toBeNull();
  });
});

describe('what the upkeep of a pool has to do', () => {
  it('is nothing while the pool rests', async () => {
    const { sponsor } = await store.aPool(700_000, 9_000_000);
    expect(await lookAsLeader(sponsor)).toEqual(atRest);
    const { totals } = await lookAsLeader(sponsor);
    expect(totals).toEqual(await readPoolTotals(store.redis, sponsor));
    expect(totals.coins).toMatchObject({ treasury: 1n, available: 1n });
  });

  it('shows when the first reservation expires', async () => {
    const { sponsor } = await store.aPool(700_000, 800_000);
    await reserve(store.redis, sponsor, 500_000, 60_000);
    await reserve(store.redis, sponsor, 500_000, 2_000);
    const { expiryMs, ...rest } = await lookAsLeader(sponsor);
    expect(expiryMs).toBeGreaterThan(0);
    expect(expiryMs).toBeLessThanOrEqual(2_000);
    expect({ ...rest, expiryMs: null }).toEqual(atRest);
    await store.redis.zadd(`fc:{${sponsor}}:reserved`, 1, '5');
    expect(await lookAsLeader(sponsor)).toMatchObject({ expiryMs: 0 });
  });

  it('counts claims without a lease, executions without an executor, and interrupted maintenance', async () => {
    const { sponsor } = await store.aPool(700_000, 800_000, 900_000, 9_000_000);
    const ids = [0, 1, 2].map(() => reserve(store.redis, sponsor));
    const [one, two, three] = (await Promise.all(ids)).map(({ reservationId }) => reservationId);
    await claim(store.redis, sponsor, one!, 'D1', 0);
    await claim(store.redis, sponsor, two!, 'D2', 60_000);
    const fence = await claim(store.redis, sponsor, three!, 'D3', 60_000);
    const begun = { reservationId: three!, digest: 'D3', fence, executor: 'e' };
    await only(beginExecutions(store.redis, sponsor, begun.executor, [begun]));
    const split = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 0 } as const;
    await beginMaintenance(store.redis, sponsor, split);
    expect(await lookAsLeader(sponsor)).toEqual({
      ...atRest,
      overdueClaims: 1,
      overdueExecutions: 1,
      overdueMaintenance: 1,
    });
    const patient = { ...aLead('leader'), requeueAfterMs: 60_000 };
    const due = await takeLead(store.redis, sponsor, patient);
    expect(due).toMatchObject({ overdueClaims: 1, overdueExecutions: 0 });
  });

  it('shows a suspension, and when it may be ended', async () => {
    const { sponsor } = await store.aPool(700_000);
    const check = { runId: 'one', mayForget: true, witness: 'w', watermark: 0, others: [] };
    await checkRedisRestart(store.redis, sponsor, { ...check, holdMs: 30_000 });
    const { suspendedMs } = await lookAsLeader(sponsor);
    expect(suspendedMs).toBeGreaterThan(25_000);
    await store.redis.set(`fc:{${sponsor}}:held`, 1);
    expect(await lookAsLeader(sponsor)).toMatchObject({ suspendedMs: 0 });
  });

  it('shows a drain, and a withdrawal until it has ended', async () => {
    const { sponsor } = await store.aPool(700_000);
    await drainSponsor(store.redis, sponsor, { reason: 'r', by: 'ops', since: 1 });
    expect(await lookAsLeader(sponsor)).toEqual({ ...atRest, isDrained: true });
    const to = `0x${'c0'.repeat(32)}`;
    await orderWithdrawal(store.redis, sponsor, { id: 'one', to, by: 'ops', reason: 'r' });
    expect(await lookAsLeader(sponsor)).toMatchObject({ isDrained: true, isWithdrawing: true });
    await endWithdrawal(store.redis, sponsor, { id: 'one', to });
    expect(await lookAsLeader(sponsor)).toEqual({ ...atRest, isDrained: true });
  });

  it('counts gone coins once they need not be remembered any more', async () => {
    const { sponsor } = await store.aPool(700_000);
    await store.redis.zadd(`fc:{${sponsor}}:gone`, Date.now(), 'late', 1, 'early');
    expect(await lookAsLeader(sponsor)).toEqual({ ...atRest, goneCoins: 1 });
  });
});

describe('pools', () => {
  it('a pool belongs to the network that it was opened on', async () => {
    const { sponsor } = await store.aPool();
    expect(await openPool(store.redis, sponsor, 'aaaa')).toEqual({ opened: true });
    expect(await openPool(store.redis, sponsor, 'aaaa')).toEqual({ opened: true });
    expect(await openPool(store.redis, sponsor, 'bbbb')).toEqual({
      opened: false,
      belongsTo: 'aaaa',
    });
  });

  it('each sponsor has its own index, and there are at most 64', async () => {
    await store.redis.del('fc:sponsors');
    for (let i = 0; i < 64; i++) expect(await registerSponsor(store.redis, `0x${i}`)).toBe(i);
    expect(await registerSponsor(store.redis, '0x7')).toBe(7);
    await expect(registerSponsor(store.redis, '0xother')).rejects.toThrow('0xother');
    expect((await listSponsors(store.redis)).get(63)).toBe('0x63');
  });
});
