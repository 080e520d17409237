import {
  auditPool,
  findReservation,
  historyStreamKey,
  placementRules,
  readPoolTotals,
  reserveGas,
} from '@forecourt/coin-store';
import { describe, expect, it } from '@jest/globals';
import { useTestFleet } from '../test-fleet.test-support.js';
import { aLossyPool, COIN, expectExact, expectRebuilt } from './lossy-pool.test-support.js';

const fleet = useTestFleet();
const aPool = (coins: number, balance?: bigint) => aLossyPool(fleet, coins, balance);

describe('the correction of a pool that has lost transactions', () => {
  it.each([
    ['JSON-RPC', () => fleet.ledger],
    ['gRPC', () => fleet.grpcLedger],
  ])('counts and records each over %s, however often a coin has paid', async (_, ledger) => {
    const { lossy, ids } = await aPool(5);
    const { correction } = lossy.pool.with({ ledger: ledger() });
    const [twice, together, merged, own, ownMerged] = ids as [
      string,
      string,
      string,
      string,
      string,
    ];
    await lossy.loseWrites();
    await lossy.sponsor(twice);
    await lossy.sponsor(twice);
    await lossy.sponsor(merged);
    await lossy.sponsor(together, merged);
    await lossy.sponsor(ownMerged);
    await lossy.merge(own, ownMerged);
    const { corrected } = await correction.correct(lossy.pool.sponsor);
    expect(corrected).toBe(5);
    await expectExact(lossy);
    await expectRebuilt(lossy);
    expect((await lossy.rebuilt()).map(({ caller, cause }) => [caller, cause])).toEqual(
      Array(5).fill(['', 'redis_lost_writes']),
    );
    expect(await correction.correct(lossy.pool.sponsor)).toEqual({ corrected: 0, adopted: 0 });
    expect(await lossy.rebuilt()).toHaveLength(5);
  });

  it('counts those of coins that were made and merged meanwhile, and of coins that were sent away', async () => {
    const { lossy, ids } = await aPool(3, 10n * COIN);
    const [treasury, sent] = ids;
    await lossy.loseWrites();
    const kept = await lossy.split(treasury, 40_000_000n);
    const passing = await lossy.split(treasury, 40_000_000n);
    await lossy.sponsor(kept);
    await lossy.sponsor(passing);
    await lossy.merge(treasury, passing);
    await lossy.sponsor(sent);
    await lossy.withdraw(sent);
    const result = await lossy.pool.correction.correct(lossy.pool.sponsor);
    expect(result).toEqual({ corrected: 2, adopted: 1 });
    await expectExact(lossy);
    await expectRebuilt(lossy);
  });

  it('gives a transaction to the reservation whose coins it has paid with', async () => {
    const { lossy } = await aPool(3);
    const { redis, sponsor } = lossy.pool;
    const request = { caller: 'shop', gasBudget: 150_000_000, durationMs: 60_000 };
    const [reserved] = await reserveGas(redis, sponsor, [request]);
    const { reservationId, coins } = reserved!;
    expect(coins).toHaveLength(2);
    const ids = coins.map(({ objectId }) => objectId);
    const { digest } = await lossy.sponsor(...ids);
    await lossy.sponsor(ids[0]!);
    await lossy.pool.correction.correct(sponsor);
    await expectExact(lossy);
    await expectRebuilt(lossy);
    const [first] = (await lossy.rebuilt()).filter((entry) => entry.digest === digest);
    expect(first).toMatchObject({
      id: String(reservationId),
      caller: 'shop',
      state: 'executed',
      budget: '150000000',
      sum: '200000000',
      cause: 'outside_pool',
    });
    expect(await redis.xlen(historyStreamKey(sponsor))).toBe(0);
    const waiter = { gateway: 'one', requestType: 'waitForEffectsCert' } as const;
    const message = { reservationId, caller: 'shop', digest, waiter };
    const { found } = await findReservation(redis, sponsor, message, placementRules(COIN));
    expect(found).toMatchObject({ state: 'executed', digest });
  });

  it('ends a reservation whose coins were used otherwise as expired', async () => {
    const { lossy } = await aPool(2);
    const { redis, sponsor } = lossy.pool;
    const request = { caller: 'shop', gasBudget: 150_000_000, durationMs: 60_000 };
    const [reserved] = await reserveGas(redis, sponsor, [request]);
    await lossy.sponsor(reserved!.coins[0]!.objectId);
    await lossy.sponsor(...reserved!.coins.map(({ objectId }) => objectId));
    await lossy.pool.correction.correct(sponsor);
    await expectExact(lossy);
    await expectRebuilt(lossy);
    expect(await redis.xlen(historyStreamKey(sponsor))).toBe(1);
  });

  it('leaves what a new coin has paid for before that alone, and funds that arrive', async () => {
    const { lossy, ids } = await aPool(2);
    const { pool } = lossy;
    const earlier = await lossy.split(ids[0], 40_000_000n);
    await lossy.sponsor(earlier);
    await fleet.mint(pool.sponsor, COIN);
    await lossy.loseWrites(Date.now() + 120_000);
    expect(await pool.correction.adoptNewCoins(pool.sponsor, true)).toBe(2);
    const { gasCharged } = await readPoolTotals(pool.redis, pool.sponsor);
    expect(gasCharged).toBe(0n);
    expect(await lossy.rebuilt()).toEqual([]);
  });

  it('adopts a lost coin later too, with what it has paid for since', async () => {
    const { lossy, ids } = await aPool(2);
    const { pool } = lossy;
    await lossy.loseWrites();
    const made = await lossy.split(ids[0], 40_000_000n);
    await lossy.sponsor(made);
    expect(await pool.correction.adoptNewCoins(pool.sponsor, true)).toBe(1);
    expect(await pool.correction.adoptNewCoins(pool.sponsor, true)).toBe(0);
    await pool.correction.correct(pool.sponsor);
    await expectExact(lossy);
    await expectRebuilt(lossy);
  });

  it('counts what is lost and cannot be explained, because the ledger has pruned it', async () => {
    const { lossy, ids } = await aPool(3);
    const { pool } = lossy;
    await lossy.sponsor(ids[0]);
    await lossy.sponsor(ids[1], ids[2]);
    await lossy.sponsor(ids[0]);
    const pruned = lossy.lost.slice(0, 2).map(({ digest }) => digest);
    const ledger = {
      ...pool.ledger,
      readExecuted: async (digests: readonly string[]) =>
        pool.ledger.readExecuted(digests.filter((digest) => !pruned.includes(digest))),
    };
    await pool.with({ ledger }).correction.correct(pool.sponsor);
    const { gasCharged, found } = await readPoolTotals(pool.redis, pool.sponsor);
    const [first, second, last] = lossy.lost.map(({ gas }) => gas) as [bigint, bigint, bigint];
    expect(gasCharged).toBe(last);
    expect(found).toEqual({ transactions: 1n, gas: last, unexplained: first + second });
    const entries = (await lossy.rebuilt()) as unknown as { unexplained?: string }[];
    const unexplained = entries.reduce((sum, one) => sum + BigInt(one.unexplained ?? 0), 0n);
    expect(unexplained).toBe(first + second);
    expect((await auditPool(pool.redis, pool.ledger, pool.sponsor)).isExact).toBe(true);
  });

  it('waits for a node that shows coins before their transactions', async () => {
    const { lossy, ids } = await aPool(2);
    const { pool } = lossy;
    await lossy.sponsor(ids[0]);
    let looks = 0;
    const ledger = {
      ...pool.ledger,
      readExecuted: async (digests: readonly string[]) =>
        ++looks < 3 ? new Map() : pool.ledger.readExecuted(digests),
    };
    await pool.with({ ledger }).correction.correct(pool.sponsor);
    await expectExact(lossy);
    await expectRebuilt(lossy);
  });

  it('records nothing while history is off, and counts the gas nevertheless', async () => {
    const { lossy, ids } = await aPool(2);
    const { pool } = lossy;
    await pool.redis.set(`fc:{${pool.sponsor}}:history-backlog`, 'off');
    await lossy.sponsor(ids[0]);
    await pool.correction.correct(pool.sponsor);
    await expectExact(lossy);
    expect(await lossy.rebuilt()).toEqual([]);
  });
});
