import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { aCoin, claim, reserve, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import { adoptCoins } from '../pool/adopt-coins.js';
import { snapshotPool } from '../pool/pool-snapshot.js';
import { runScript } from '../scripts/run-script.js';
import {
  abortMaintenance,
  beginMaintenance,
  bindMaintenance,
  finishMaintenance,
  listMaintenance,
} from './maintenance-operations.js';

const store = useTestStore();

const splitTreasury = {
  kind: 'split' as const,
  from: 'treasury' as const,
  maxCoins: 1,
  leaseMs: 10_000,
};
const binding = { digest: 'D1', txBytes: 'AAAA', amount: 5n, leaseMs: 10_000 };

describe('maintenance: splits and consolidations', () => {
  it('takes the largest coin of the treasury for a split, which ends with its remainder and the new coins', async () => {
    const { sponsor, coins } = await store.aPool(50_000_000, 90_000_000);
    const operation = await beginMaintenance(store.redis, sponsor, splitTreasury);
    expect(operation?.coins).toEqual([coins[1]]);
    const { operationId } = operation!;
    expect(
      await bindMaintenance(store.redis, sponsor, { operationId, ...binding }),
    ).toBeGreaterThan(0);
    const created = [aCoin(1_000_000), aCoin(1_000_000)];
    const returned = [{ ...coins[1]!, version: 2, balance: 87_900_000n }];
    const result = { operationId, returned, created, rules, gasCharged: 100_000n };
    expect(await finishMaintenance(store.redis, sponsor, result)).toBe(true);
    expect(await finishMaintenance(store.redis, sponsor, result)).toBe(false);
    const { coins: now, faults, totals } = await snapshotPool(store.redis, sponsor);
    expect(faults).toEqual([]);
    expect(now).toHaveLength(4);
    expect(totals.coins).toMatchObject({ available: 2n, treasury: 2n, maintenance: 0n });
  });

  it('begins once, however often a broken connection repeats the call', async () => {
    const { sponsor, coins } = await store.aPool(50_000_000, 90_000_000);
    const begin = () =>
      runScript(store.redis, 'begin-maintenance', sponsor, 'op', 'split', 'treasury', 1, 10_000);
    const first = await begin();
    expect(first).toContain(coins[1]!.objectId);
    expect(await begin()).toBe(first);
    const { faults, totals } = await snapshotPool(store.redis, sponsor);
    expect(faults).toEqual([]);
    expect(totals.coins).toMatchObject({ treasury: 1n, maintenance: 1n });
  });

  it('counts a new coin once when a scan of the ledger saw it first', async () => {
    const { sponsor, coins } = await store.aPool(50_000_000);
    const { operationId } = (await beginMaintenance(store.redis, sponsor, splitTreasury))!;
    const created = [aCoin(1_000_000)];
    await adoptCoins(store.redis, sponsor, created, rules);
    const result = { operationId, returned: coins, created, rules, gasCharged: 0n };
    await finishMaintenance(store.redis, sponsor, result);
    const { coins: now, faults } = await snapshotPool(store.redis, sponsor);
    expect([now.length, faults]).toEqual([2, []]);
  });

  it('does not bring back a coin that left the pool before the split was finished', async () => {
    const { sponsor, coins } = await store.aPool(50_000_000);
    const { operationId } = (await beginMaintenance(store.redis, sponsor, splitTreasury))!;
    const created = [aCoin(1_000_000)];
    await adoptCoins(store.redis, sponsor, created, rules);
    const { reservationId } = await reserve(store.redis, sponsor);
    const fence = await claim(store.redis, sponsor, reservationId, 'D1');
    await only(
      beginExecutions(store.redis, sponsor, 'executor-1', [{ reservationId, digest: 'D1', fence }]),
    );
    await only(
      settleExecutions(store.redis, sponsor, [
        {
          reservationId,
          digest: 'D1',
          outcome: 'executed',
          returned: [],
          rules,
          retentionMs,
          gasCharged: 0n,
          cost: 0n,
        },
      ]),
    );
    // After any delay of the split.
    await store.redis.zadd(`fc:{${sponsor}}:gone`, 'XX', Date.now(), created[0]!.objectId);
    await runScript(store.redis, 'expire-reservations', sponsor, 100, retentionMs, -60_000);
    const result = { operationId, returned: coins, created, rules, gasCharged: 0n };
    expect(await finishMaintenance(store.redis, sponsor, result)).toBe(true);
    const { coins: now, faults } = await snapshotPool(store.redis, sponsor);
    expect([now.map(({ objectId }) => objectId), faults]).toEqual([[coins[0]!.objectId], []]);
    await runScript(store.redis, 'expire-reservations', sponsor, 100, retentionMs, -60_000);
    expect(await store.redis.zcard(`fc:{${sponsor}}:gone`)).toBe(0);
  });

  it('binds an operation to one transaction and lists it with its bytes', async () => {
    const { sponsor, coins } = await store.aPool(50_000_000);
    const { operationId } = (await beginMaintenance(store.redis, sponsor, splitTreasury))!;
    await bindMaintenance(store.redis, sponsor, { operationId, ...binding });
    const other = { operationId, ...binding, digest: 'D2' };
    expect(await bindMaintenance(store.redis, sponsor, other)).toBeNull();
    expect(await listMaintenance(store.redis, sponsor)).toEqual([
      {
        operationId,
        kind: 'split',
        digest: 'D1',
        txBytes: 'AAAA',
        coins,
        leaseOver: false,
        amount: 5n,
      },
    ]);
  });

  it('returns the coins of an aborted operation to their previous places', async () => {
    const { sponsor } = await store.aPool(10, 20, 30);
    const fold = { kind: 'fold' as const, from: 'dust' as const, maxCoins: 2, leaseMs: 0 };
    const operation = await beginMaintenance(store.redis, sponsor, fold);
    expect(operation?.coins.map((coin) => coin.balance)).toEqual([10n, 20n]);
    expect(await listMaintenance(store.redis, sponsor)).toMatchObject([{ leaseOver: true }]);
    await abortMaintenance(store.redis, sponsor, operation!);
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([totals.coins.dust, totals.balance.dust, faults]).toEqual([3n, 60n, []]);
  });

  it('keeps the coins of an operation that was bound after a reader saw it unbound', async () => {
    const { sponsor } = await store.aPool(50_000_000);
    const { operationId } = (await beginMaintenance(store.redis, sponsor, splitTreasury))!;
    await bindMaintenance(store.redis, sponsor, { operationId, ...binding });
    for (const digest of [null, 'D2']) {
      expect(await abortMaintenance(store.redis, sponsor, { operationId, digest })).toBe(false);
    }
    const refused = { operationId, digest: binding.digest };
    expect(await abortMaintenance(store.redis, sponsor, refused)).toBe(true);
    expect(await abortMaintenance(store.redis, sponsor, refused)).toBe(false);
  });

  it('counts the coins that a consolidation smashed', async () => {
    const { sponsor, coins } = await store.aPool(10, 20, 30);
    const fold = { kind: 'fold' as const, from: 'dust' as const, maxCoins: 9, leaseMs: 0 };
    const { operationId } = (await beginMaintenance(store.redis, sponsor, fold))!;
    const returned = [{ ...coins[0]!, version: 2, balance: 50n }];
    const result = { operationId, returned, created: [], rules, gasCharged: 10n };
    await finishMaintenance(store.redis, sponsor, result);
    const { totals, faults } = await snapshotPool(store.redis, sponsor);
    expect([totals.smashed, totals.balance.dust, faults]).toEqual([2n, 50n, []]);
  });

  it('takes nothing from a pool that is suspended', async () => {
    const { sponsor } = await store.aPool(50_000_000);
    await store.redis.set(`fc:{${sponsor}}:held`, Date.now());
    expect(await beginMaintenance(store.redis, sponsor, splitTreasury)).toBeNull();
    expect((await snapshotPool(store.redis, sponsor)).totals.coins.treasury).toBe(1n);
  });

  it('takes nothing from an empty pool', async () => {
    const { sponsor } = await store.aPool();
    for (const from of ['treasury', 'dust', 'available'] as const) {
      expect(await beginMaintenance(store.redis, sponsor, { ...splitTreasury, from })).toBeNull();
    }
  });
});
