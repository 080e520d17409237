import { describe, expect, it } from '@jest/globals';
import {
  auditPool,
  beginExecutions,
  beginMaintenance,
  claimReservations,
  listMaintenance,
  quarantineExecution,
  readPoolTotals,
  readSuspension,
  reserveGas,
  snapshotPool,
} from '@forecourt/coin-store';
import { executeTransactionJobId, executeTransactionJobOptions } from '@forecourt/contracts';
import { only } from '@forecourt/testing/redis';
import { aClaimOf, type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { spend } from './adopted-pool.test-support.js';
import { MaintenanceFailed } from './maintenance-failed.js';

const fleet = useTestFleet();

const funds = [1_000_000_000n, 2_000_000_000n, 5_000_000n, 6_000_000n];
for (let i = 0n; i < 12n; i++) funds.push(100_000_000n + i * 10_000_000n);
const DIGESTS = ['claimed', 'executing', 'quarantined'] as const;
const prefixOf = ({ sponsor }: TestPool) => `fc:{${sponsor}}:`;

/** A pool with coins in every state, each of those in flight with its job. */
async function filled(): Promise<{ pool: TestPool; ids: Record<string, number> }> {
  const pool = await fleet.aPool(funds, { holdMs: 0 });
  const { redis, sponsor, queue } = pool;
  await queue.obliterate({ force: true });
  await pool.correction.adoptNewCoins(pool.sponsor, true);
  const request = { caller: 'default', gasBudget: 50_000_000, durationMs: 600_000 };
  const ids: Record<string, number> = {};
  for (const [index, digest] of ['reserved', ...DIGESTS].entries()) {
    const [reserved] = await reserveGas(redis, sponsor, [request]);
    const { reservationId } = reserved!;
    ids[digest] = reservationId;
    if (digest === 'reserved') continue;
    const claim = aClaimOf(reservationId, digest, { leaseMs: 600_000, inputs: [`0x${index}:1`] });
    const claimed = await only(claimReservations(redis, sponsor, [claim]));
    if (claimed.result !== 'claimed') throw new Error(claimed.result);
    const execution = { sponsor, reservationId, digest, fence: claimed.fence };
    const jobId = executeTransactionJobId(execution);
    await queue.add(queue.name, execution, { ...executeTransactionJobOptions, jobId });
    if (digest === 'claimed') continue;
    await only(beginExecutions(redis, sponsor, 'one', [execution]));
    if (digest === 'executing') continue;
    await quarantineExecution(redis, sponsor, { ...execution, message: 'conflict', epoch: 0n });
  }
  const split = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 600_000 } as const;
  await beginMaintenance(redis, sponsor, split);
  const { coins, faults } = await snapshotPool(redis, sponsor);
  expect([new Set(coins.map(({ state }) => state)).size, faults]).toEqual([8, []]);
  return { pool, ids };
}

/** The leader's steps for missing keys, without the waiting. */
async function recover(pool: TestPool): Promise<void> {
  const { redis, sponsor } = pool;
  await pool.correction.adoptNewCoins(pool.sponsor, true);
  await pool.recovery.suspendIfIncomplete(sponsor);
  if ((await readSuspension(redis, sponsor)) !== null) await pool.recovery.endSuspension(sponsor);
  expect(await readSuspension(redis, sponsor)).toBeNull();
  await pool.correction.adoptNewCoins(pool.sponsor, true);
}

async function expectExact({ redis, ledger, sponsor }: TestPool): Promise<void> {
  const { differences, isExact } = await auditPool(redis, ledger, sponsor);
  expect([differences, isExact]).toEqual([[], true]);
  const { coins } = await snapshotPool(redis, sponsor);
  expect(new Set(coins.map(({ objectId }) => objectId)).size).toBe(funds.length);
  expect(coins).toHaveLength(funds.length);
}

async function backUp(pool: TestPool) {
  const names = await pool.redis.keys(`${prefixOf(pool)}*`);
  const dumps = await Promise.all(names.map((name) => pool.redis.dumpBuffer(name)));
  const restore = async () => {
    await pool.redis.del(...(await pool.redis.keys(`${prefixOf(pool)}*`)));
    for (const [index, name] of names.entries()) await pool.redis.restore(name, 0, dumps[index]!);
  };
  return { names: names.toSorted(), restore };
}

const stateOf = async ({ redis, sponsor }: TestPool, objectId: string) =>
  (await snapshotPool(redis, sponsor)).coins.find((coin) => coin.objectId === objectId)?.state;

describe('a pool that has lost some of its keys', () => {
  it('is exact again after the loss of any one of them, and hands out no coin in flight', async () => {
    const { pool } = await filled();
    const { redis, sponsor } = pool;
    const { names, restore } = await backUp(pool);
    const { coins: before } = await snapshotPool(redis, sponsor);
    const bound = before.filter(({ state }) => state === 'executing' || state === 'quarantined');
    for (const name of names) {
      await redis.del(name);
      await recover(pool);
      await expectExact(pool);
      for (const { objectId } of bound) {
        const state = await stateOf(pool, objectId);
        expect(['executing', 'quarantined', 'maintenance', name]).toContain(state);
      }
      await restore();
    }
    expect(names.length).toBeGreaterThan(20);
  });

  it.each([1, 2, 3, 4])('is exact again after the loss of half of them: %i', async (seed) => {
    const { pool } = await filled();
    const { names } = await backUp(pool);
    const lost = names.filter((_, index) => ((index * 7919 + seed * 104729) % 97) % 2 === 0);
    const { coins: before } = await snapshotPool(pool.redis, pool.sponsor);
    await pool.redis.del(...lost);
    await recover(pool);
    await expectExact(pool);
    for (const { objectId, state, holder } of before) {
      const isKept = !lost.includes(`${prefixOf(pool)}reservation:${holder}`);
      if (state !== 'executing' && state !== 'quarantined') continue;
      if (isKept) expect(await stateOf(pool, objectId)).toBe(state);
    }
  });

  it('is suspended until it is rebuilt', async () => {
    const { pool } = await filled();
    const held = pool.with({ settings: { holdMs: 60_000 } });
    await pool.redis.del(`${prefixOf(pool)}treasury`);
    expect(await held.recovery.suspendIfIncomplete(pool.sponsor)).toBe(true);
    expect(await readSuspension(pool.redis, pool.sponsor)).toBeGreaterThan(30_000);
    await held.recovery.endSuspension(pool.sponsor);
    expect((await readPoolTotals(pool.redis, pool.sponsor)).coins.treasury).not.toBe(2n);
    expect(pool.logged).toContainEqual(
      expect.objectContaining({ message: 'Pool suspended: Redis has lost some of its keys' }),
    );
  });

  it('stays suspended while the ledger does not show all of its coins', async () => {
    const { pool } = await filled();
    await pool.redis.del(`${prefixOf(pool)}treasury`);
    const ledger = {
      ...pool.ledger,
      async *listGasCoins() {
        return;
      },
      readGasCoins: async () => new Map(),
    };
    await pool.recovery.suspendIfIncomplete(pool.sponsor);
    const blind = pool.with({ ledger });
    await expect(blind.recovery.endSuspension(pool.sponsor)).rejects.toThrow(MaintenanceFailed);
    expect(await readSuspension(pool.redis, pool.sponsor)).not.toBeNull();
    await recover(pool);
    await expectExact(pool);
  });

  it('forgets coins that were merged, though a node over gRPC does not tell so, once it is minutes further', async () => {
    const pool = await fleet.aPool(funds, { holdMs: 0 });
    await pool.correction.adoptNewCoins(pool.sponsor, true);
    const { redis, sponsor } = pool;
    const { coins: before } = await snapshotPool(redis, sponsor);
    const [kept, ...merged] = before.filter(({ state }) => state === 'available').slice(0, 3);
    await spend(pool, [kept!, ...merged]);
    await redis.del(...(await redis.keys(`${prefixOf(pool)}available:*`)));
    const overGrpc = pool.with({ ledger: fleet.grpcLedger });
    await overGrpc.recovery.suspendIfIncomplete(sponsor);
    await expect(overGrpc.recovery.endSuspension(sponsor)).rejects.toThrow(MaintenanceFailed);
    await redis.set(`${prefixOf(pool)}held`, Date.now() - 240_000);
    await overGrpc.recovery.endSuspension(sponsor);
    expect(await readSuspension(redis, sponsor)).toBeNull();
    const { coins, unplaced } = await snapshotPool(redis, sponsor);
    expect(unplaced).toEqual([]);
    expect(coins).toHaveLength(funds.length - merged.length);
    expect((await auditPool(redis, fleet.grpcLedger, sponsor)).differences).toEqual([]);
  });

  it('withholds a coin that a lost transaction may be signed for until a later epoch', async () => {
    const { pool, ids } = await filled();
    const { redis, sponsor } = pool;
    const { coins } = await snapshotPool(redis, sponsor);
    const bound = coins.find(({ state }) => state === 'executing')!;
    await redis.del(`${prefixOf(pool)}reservation:${ids['executing']}`);
    await recover(pool);
    const withheld = async () =>
      (await listMaintenance(redis, sponsor)).filter(({ kind }) => kind === 'lost');
    expect((await withheld()).flatMap((one) => one.coins)).toMatchObject([
      { objectId: bound.objectId, version: bound.version },
    ]);
    await pool.recovery.returnWithheld(sponsor);
    expect(await withheld()).toHaveLength(1);
    const ledger = {
      ...pool.ledger,
      status: async () => {
        const status = await pool.ledger.status(0);
        return { ...status, epoch: status.epoch + 1n };
      },
    };
    await pool.with({ ledger }).recovery.returnWithheld(sponsor);
    expect(await withheld()).toEqual([]);
    expect(await stateOf(pool, bound.objectId)).toBe('available');
    await expectExact(pool);
  });
});
