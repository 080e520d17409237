import { describe, expect, it } from '@jest/globals';
import type { ExpectedUsage } from '@forecourt/contracts';
import { only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { beginExecutions } from '../executions/begin-executions.js';
import { quarantineExecution } from '../executions/quarantines.js';
import { refuseExecution } from '../executions/unsettled-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { claimOf, reserve, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import { claimReservations, type ClaimResult } from './claim-reservations.js';
import { releaseClaim } from './release-reservations.js';
import { readUsagesFor } from './reservation-lookups.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';
import { prepareCoinStore } from '../scripts/prepare-coin-store.js';

const store = useTestStore();

const within = (limit: bigint | number, over: Partial<ExpectedUsage> = {}): ExpectedUsage => ({
  counter: 'c',
  counts: 'gas',
  amount: '100',
  operator: '<=',
  limit: String(limit),
  windowMs: 60_000,
  expected: true,
  held: true,
  ...over,
});

const balances = (count: number) => Array<number>(count).fill(700_000);

/** Reserves and claims with the expected usage. */
async function claim(
  sponsor: string,
  usage: readonly ExpectedUsage[],
  redis: CoinStoreRedis = store.redis,
  leaseMs = 30_000,
): Promise<ClaimResult & { reservationId: number; digest: string }> {
  const { reservationId } = await reserve(redis, sponsor);
  const digest = `D${reservationId}`;
  const claimed = await only(
    claimReservations(redis, sponsor, [claimOf(reservationId, digest, { usage, leaseMs })]),
  );
  return { ...claimed, reservationId, digest };
}

const used = (sponsor: string, counter = 'c') =>
  store.redis.hget(`fc:{${sponsor}}:usage:${counter}`, 'used');
const expiry = (sponsor: string) => store.redis.pttl(`fc:{${sponsor}}:usage:c`);

async function executing(sponsor: string, usage: readonly ExpectedUsage[]) {
  const { reservationId, digest } = await claim(sponsor, usage);
  const job = { reservationId, digest, fence: 1 };
  const begun = await only(beginExecutions(store.redis, sponsor, 'e', [job]));
  const settle = (cost: bigint, outcome: 'executed' | 'refused' = 'executed') =>
    only(
      settleExecutions(store.redis, sponsor, [
        {
          reservationId,
          digest,
          outcome,
          rules,
          retentionMs,
          gasCharged: -500n,
          cost,
          returned: begun!.coins,
        },
      ]),
    );
  return { ...job, settle };
}

describe('the used amount of a limit', () => {
  it('counts a claim once in a counter that two checks compare, and only if one of them holds it', async () => {
    const { sponsor } = await store.aPool(...balances(4));
    const skipped = within(50, { expected: false, held: false });
    for (let claims = 1; claims <= 3; claims++) {
      expect(await claim(sponsor, [skipped, within(300)])).toMatchObject({ result: 'claimed' });
      expect(await used(sponsor)).toBe(String(claims * 100));
    }
    const beyond = await claim(sponsor, [skipped, within(300)]);
    expect(beyond).toMatchObject({ result: 'usage' });
    expect(await used(sponsor)).toBe('300');
  });

  it('is read without being counted', async () => {
    const { sponsor } = await store.aPool(...balances(2));
    await claim(sponsor, [within(200)]);
    for (let count = 0; count < 2; count++) {
      const { usages } = await readUsagesFor(store.redis, sponsor, {
        counters: ['c', 'never used'],
        usage: [],
      });
      const [used, unused] = usages;
      expect(used).toEqual({ counter: 'c', used: '100', endsInMs: expect.any(Number) });
      expect(used!.endsInMs).toBeGreaterThan(0);
      expect(unused).toEqual({ counter: 'never used', used: '0', endsInMs: 0 });
    }
    const none = await readUsagesFor(store.redis, sponsor, { counters: [], usage: [] });
    expect(none.usages).toEqual([]);
  });

  it('counts a claim only if every counter is as expected', async () => {
    const { sponsor } = await store.aPool(...balances(4));
    expect((await claim(sponsor, [within(200)])).result).toBe('claimed');
    expect((await claim(sponsor, [within(200)])).result).toBe('claimed');
    const third = await claim(sponsor, [within(200)]);
    expect(third).toMatchObject({ result: 'usage', usages: [{ counter: 'c', used: '200' }] });
    expect(
      (third as Extract<ClaimResult, { result: 'usage' }>).usages[0]!.endsInMs,
    ).toBeGreaterThan(0);
    expect(await used(sponsor)).toBe('200');
    expect((await claim(sponsor, [within(200, { expected: false, held: false })])).result).toBe(
      'claimed',
    );
    expect(await used(sponsor)).toBe('200');
  });

  it.each([
    ['=', [false, true, false]],
    ['!=', [true, false, true]],
    ['<', [true, false, false]],
    ['>', [false, false, true]],
    ['<=', [true, true, false]],
    ['>=', [false, true, true]],
  ] as const)('is compared with %s, exactly beyond 2^53', async (operator, expected) => {
    const { sponsor } = await store.aPool(...balances(3));
    const before = 2n ** 60n;
    const limits = [before + 101n, before + 100n, before + 99n];
    for (const [index, limit] of limits.entries()) {
      const key = `fc:{${sponsor}}:usage:c`;
      await store.redis.hset(key, { used: String(before), window: '1' });
      const usage = [within(limit, { operator, expected: expected[index]!, held: false })];
      expect((await claim(sponsor, usage)).result).toBe('claimed');
    }
  });

  it('changes in all counters of a claim or in none', async () => {
    const { sponsor } = await store.aPool(...balances(2));
    const both = [within(100, { counter: 'a' }), within(50, { counter: 'b' })];
    expect((await claim(sponsor, both)).result).toBe('usage');
    expect([await used(sponsor, 'a'), await used(sponsor, 'b')]).toEqual([null, null]);
  });

  it('is exact when many claim at once through separate connections', async () => {
    const { sponsor } = await store.aPool(...balances(100));
    const connections = Array.from({ length: 10 }, () =>
      prepareCoinStore(new Redis(store.server.url)),
    );
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        claim(sponsor, [within(3_750, { amount: '125' })], connections[i % 10]),
      ),
    );
    for (const connection of connections) connection.disconnect();
    expect(results.filter(({ result }) => result === 'claimed')).toHaveLength(30);
    expect(await used(sponsor)).toBe('3750');
  });

  it('is corrected to the transaction’s cost, for any charge of the ledger', async () => {
    const { sponsor } = await store.aPool(...balances(4));
    const requests = within(10, { counter: 'r', counts: 'requests', amount: '1' });
    const { settle } = await executing(sponsor, [within(1_000), requests]);
    await settle(37n);
    await settle(37n);
    expect([await used(sponsor), await used(sponsor, 'r')]).toEqual(['37', '1']);
    await (await executing(sponsor, [within(1_000)])).settle(0n);
    expect(await used(sponsor)).toBe('37');
    await (await executing(sponsor, [within(1_000)])).settle(150n);
    expect(await used(sponsor)).toBe('187');
  });

  it('is released once by a claim that fails or is never begun', async () => {
    const { sponsor } = await store.aPool(...balances(4));
    const refused = await executing(sponsor, [within(1_000)]);
    const refusal = { ...refused, message: 'no', retentionMs };
    await refuseExecution(store.redis, sponsor, refusal);
    await refuseExecution(store.redis, sponsor, refusal);
    expect(await used(sponsor)).toBe('0');
    const { reservationId } = await claim(sponsor, [within(1_000)], store.redis, 0);
    expect(await used(sponsor)).toBe('100');
    await releaseClaim(store.redis, sponsor, { reservationId, fence: 1, retentionMs });
    expect(await used(sponsor)).toBe('0');
    const requests = within(10, { counter: 'r', counts: 'requests', amount: '1' });
    const doubtful = await executing(sponsor, [within(1_000), requests]);
    await quarantineExecution(store.redis, sponsor, { ...doubtful, message: 'held', epoch: 1n });
    expect(await used(sponsor)).toBe('100');
    await doubtful.settle(0n, 'refused');
    expect([await used(sponsor), await used(sponsor, 'r')]).toEqual(['0', '0']);
  });

  it('keeps the cost of freeing the coins of a transaction that never landed', async () => {
    const { sponsor } = await store.aPool(...balances(4));
    const requests = within(10, { counter: 'r', counts: 'requests', amount: '1' });
    const doubtful = await executing(sponsor, [within(1_000), requests]);
    await quarantineExecution(store.redis, sponsor, { ...doubtful, message: 'held', epoch: 1n });
    await doubtful.settle(21n, 'refused');
    expect([await used(sponsor), await used(sponsor, 'r')]).toEqual(['21', '0']);
  });

  it('belongs to its window: a later window is not changed, and every counter expires', async () => {
    const { sponsor } = await store.aPool(...balances(4));
    const early = await executing(sponsor, [within(1_000, { windowMs: 50 })]);
    const key = `fc:{${sponsor}}:usage:c`;
    while ((await store.redis.exists(key)) === 1);
    await claim(sponsor, [within(1_000)]);
    await early.settle(5n);
    expect(await used(sponsor)).toBe('100');
    const left = await expiry(sponsor);
    expect(left).toBeGreaterThan(0);
    await (await executing(sponsor, [within(1_000)])).settle(5n);
    expect(await expiry(sponsor)).toBeLessThanOrEqual(left);
    expect(await expiry(sponsor)).toBeGreaterThan(0);
    const gone = await executing(sponsor, [within(1_000)]);
    await store.redis.del(key);
    await gone.settle(5n);
    expect(await used(sponsor)).toBeNull();
  });

  it('does not begin a window when it is read', async () => {
    const { sponsor } = await store.aPool(...balances(2));
    expect((await claim(sponsor, [within(99)])).result).toBe('usage');
    expect((await claim(sponsor, [within(100, { held: false })])).result).toBe('claimed');
    expect(await used(sponsor)).toBeNull();
  });
});
