import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { caller, claim, reserve, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import { drainSponsor, readDrain, undrainSponsor } from './drains.js';
import { SponsorDrained } from './sponsor-drained.js';
import { snapshotPool } from './pool-snapshot.js';
import { reserveGas } from '../reservations/reserve-gas.js';
import { beginMaintenance } from '../upkeep/maintenance-operations.js';

const store = useTestStore();

const drain = { reason: 'key “rotation”\n\ttoday', by: 'ops', since: 1_760_000_000_000 };

describe('a drained sponsor', () => {
  it('gives no reservation to any request of a burst, and returns the reason', async () => {
    const { sponsor } = await store.aPool(1_000_000, 1_000_000);
    await drainSponsor(store.redis, sponsor, drain);
    const request = { caller, gasBudget: 500_000, durationMs: 60_000 };
    const refused = await reserveGas(store.redis, sponsor, [request, request]).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(SponsorDrained);
    expect((refused as SponsorDrained).drain).toEqual(drain);
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([totals.coins.available, totals.coins.reserved, faults]).toEqual([2n, 0n, []]);
  });

  it('has open reservations executed, and their coins returned', async () => {
    const { sponsor, coins } = await store.aPool(1_000_000);
    const { reservationId } = await reserve(store.redis, sponsor);
    await drainSponsor(store.redis, sponsor, drain);
    const fence = await claim(store.redis, sponsor, reservationId, 'D1');
    const job = { reservationId, digest: 'D1', fence };
    expect(await only(beginExecutions(store.redis, sponsor, 'one', [job]))).not.toBeNull();
    const { settled } = await only(
      settleExecutions(store.redis, sponsor, [
        {
          ...job,
          outcome: 'executed',
          returned: [{ ...coins[0]!, version: 2, balance: 900_000n }],
          rules,
          retentionMs,
          gasCharged: 100_000n,
          cost: 100_000n,
        },
      ]),
    );
    expect(settled).toBe(true);
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([totals.coins.available, faults]).toEqual([1n, []]);
  });

  it('has no coin split or consolidated', async () => {
    const { sponsor } = await store.aPool(90_000_000, 1_000_000, 10, 20);
    await drainSponsor(store.redis, sponsor, drain);
    for (const from of ['treasury', 'dust', 'available'] as const) {
      const request = { kind: 'split', from, maxCoins: 2, leaseMs: 10_000 } as const;
      expect(await beginMaintenance(store.redis, sponsor, request)).toBeNull();
    }
    expect((await snapshotPool(store.redis, sponsor)).totals.coins.maintenance).toBe(0n);
  });

  it('does not affect other sponsors, and serves again when it is undrained', async () => {
    const { sponsor: other } = await store.aPool(1_000_000);
    const { sponsor } = await store.aPool(1_000_000);
    await drainSponsor(store.redis, sponsor, drain);
    expect(await readDrain(store.redis, sponsor)).toEqual({ drain, withdrawal: null });
    expect(await readDrain(store.redis, other)).toEqual({ drain: null, withdrawal: null });
    await reserve(store.redis, other);
    await drainSponsor(store.redis, sponsor, { ...drain, reason: 'another' });
    expect((await readDrain(store.redis, sponsor)).drain?.reason).toBe('another');
    expect(await undrainSponsor(store.redis, sponsor)).toBe(true);
    expect(await undrainSponsor(store.redis, sponsor)).toBe(false);
    await reserve(store.redis, sponsor);
  });
});
