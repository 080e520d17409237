import {
  beginExecutions,
  claimReservations,
  placementRules,
  readPoolTotals,
  reserveGas,
  settleExecutions,
} from '@forecourt/coin-store';
import { only } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { aClaimOf, useTestFleet } from '../test-fleet.test-support.js';
import { coinsOnLedger } from './adopted-pool.test-support.js';
import { aLossyPool, expectExact, expectRebuilt, type Lost } from './lossy-pool.test-support.js';

const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const fleet = useTestFleet();
const aPool = (coins: number) => aLossyPool(fleet, coins);

describe('what was found on the ledger', () => {
  it.each([0, 1, 2])(
    'is counted once if the correction stops after %d coins and begins again',
    async (done) => {
      const { lossy, ids } = await aPool(3);
      const { redis, correction, sponsor } = lossy.pool;
      await lossy.loseWrites();
      await lossy.sponsor(ids[1]);
      await lossy.sponsor(ids[2]);
      await lossy.sponsor(...ids);
      const renew = redis['coinStore:renew-coin']!;
      let left = done;
      redis['coinStore:renew-coin'] = async (...args) => {
        if (left-- === 0) throw new Error('stopped');
        return renew.apply(redis, args);
      };
      await expect(correction.correct(sponsor)).rejects.toThrow('stopped');
      redis['coinStore:renew-coin'] = renew;
      expect((await correction.correct(sponsor)).corrected).toBe(3 - done);
      await expectExact(lossy);
      await expectRebuilt(lossy);
    },
  );

  it('is counted once where a coin that has consumed another one is corrected later', async () => {
    const { lossy, ids } = await aPool(2);
    const { redis, correction, sponsor } = lossy.pool;
    await lossy.sponsor(ids[1]);
    await correction.correct(sponsor);
    await redis.del(`fc:{${sponsor}}:found`);
    await lossy.loseWrites();
    await lossy.sponsor(ids[1]);
    await lossy.sponsor(ids[0], ids[1]);
    const renew = redis['coinStore:renew-coin']!;
    let calls = 0;
    redis['coinStore:renew-coin'] = async (...args) =>
      ++calls === 1 ? 0 : renew.apply(redis, args);
    expect((await correction.correct(sponsor)).corrected).toBe(1);
    redis['coinStore:renew-coin'] = renew;
    expect((await correction.correct(sponsor)).corrected).toBe(1);
    await expectExact(lossy);
    await expectRebuilt(lossy);
  });

  it('is counted once while several replicas correct the pool', async () => {
    const { lossy, ids } = await aPool(4);
    const { correction, sponsor } = lossy.pool;
    await lossy.loseWrites();
    await lossy.sponsor(ids[1]);
    await lossy.sponsor(ids[0], ids[1]);
    await lossy.sponsor(await lossy.split(ids[2], 40_000_000n));
    const results = await Promise.all(Array.from({ length: 3 }, () => correction.correct(sponsor)));
    const sum = (of: (result: (typeof results)[number]) => number) =>
      results.map(of).reduce((one, other) => one + other);
    expect([sum(({ corrected }) => corrected), sum(({ adopted }) => adopted)]).toEqual([3, 1]);
    await expectExact(lossy);
    await expectRebuilt(lossy);
  });

  it('lacks the transaction of a claim, which its settlement counts', async () => {
    const { lossy, ids } = await aPool(2);
    const { redis, sponsor, correction } = lossy.pool;
    await lossy.loseWrites();
    const request = { caller: 'shop', gasBudget: 50_000_000, durationMs: 60_000 };
    const [reserved] = await reserveGas(redis, sponsor, [request]);
    const paying = reserved!.coins[0]!.objectId;
    const other = ids.find((id) => id !== paying)!;
    const { digest } = await lossy.sponsor(paying);
    const claim = aClaimOf(reserved!.reservationId, digest, { caller: 'shop' });
    expect((await only(claimReservations(redis, sponsor, [claim]))).result).toBe('claimed');
    await lossy.sponsor(other, paying);
    await correction.correct(sponsor);
    const { found } = await readPoolTotals(redis, sponsor);
    expect(found.gas).toBe(lossy.lost[1]!.gas);
    expect((await lossy.rebuilt()).map((entry) => entry.digest)).toEqual([lossy.lost[1]!.digest]);
  });

  it.each([1, 3])('has what a withheld coin has paid for (%d transactions)', async (count) => {
    const { lossy, ids } = await aPool(2);
    const { redis, sponsor, recovery, settings } = lossy.pool;
    const reservation = { caller: 'shop', gasBudget: 50_000_000, durationMs: 60_000 };
    const [reserved] = await reserveGas(redis, sponsor, [reservation]);
    const { reservationId, coins } = reserved!;
    const claim = aClaimOf(reservationId, DIGEST, { caller: 'shop' });
    const { fence } = (await only(claimReservations(redis, sponsor, [claim]))) as { fence: number };
    const job = { reservationId, digest: DIGEST, fence };
    await only(beginExecutions(redis, sponsor, 'one', [job]));
    const ended = { outcome: 'refused', gasCharged: 0n, cost: 0n, retentionMs: 60_000 } as const;
    const rules = placementRules(settings.targetBalance);
    const withheld = { returned: [], withheld: { coins, epoch: 0n }, rules };
    await only(settleExecutions(redis, sponsor, [{ ...job, ...ended, ...withheld }]));
    await recovery.returnWithheld(sponsor);
    expect((await readPoolTotals(redis, sponsor)).coins.maintenance).toBe(1n);
    const { objectId } = coins[0]!;
    for (let n = 1; n < count; n += 1) await lossy.sponsor(objectId);
    await (count === 1
      ? lossy.sponsor(objectId)
      : lossy.merge(objectId, ...ids.filter((id) => id !== objectId)));
    await recovery.returnWithheld(sponsor);
    expect((await readPoolTotals(redis, sponsor)).coins.maintenance).toBe(0n);
    await expectExact(lossy);
    await expectRebuilt(lossy);
  });

  it('explains all but a pruned transaction of a coin that was merged into another one', async () => {
    const { lossy, ids } = await aPool(2);
    const { pool } = lossy;
    await lossy.sponsor(ids[1]);
    await lossy.sponsor(...ids);
    const [pruned, last] = lossy.lost as [Lost, Lost];
    const ledger = {
      ...pool.ledger,
      readExecuted: async (digests: readonly string[]) =>
        pool.ledger.readExecuted(digests.filter((digest) => digest !== pruned.digest)),
    };
    await pool.with({ ledger }).correction.correct(pool.sponsor);
    const { found } = await readPoolTotals(pool.redis, pool.sponsor);
    expect(found).toEqual({ transactions: 1n, gas: last.gas, unexplained: pruned.gas });
    expect(await lossy.rebuilt()).toHaveLength(2);
  });

  it('has no coin of another owner that a node lists', async () => {
    const { lossy } = await aPool(1);
    const { pool } = lossy;
    await lossy.loseWrites();
    const [foreign] = await coinsOnLedger((await aPool(1)).lossy.pool);
    const ledger = {
      ...pool.ledger,
      async *listGasCoins(owner: string) {
        yield* pool.ledger.listGasCoins(owner);
        yield [foreign!];
      },
    };
    const { correction } = pool.with({ ledger });
    expect(await correction.correct(pool.sponsor)).toEqual({ corrected: 0, adopted: 0 });
    expect(await correction.adoptNewCoins(pool.sponsor, true)).toBe(0);
  });
});
