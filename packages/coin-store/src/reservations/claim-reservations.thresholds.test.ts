import { describe, expect, it } from '@jest/globals';
import { type ExpectedUsage, type ThresholdEntry, TOTAL_WINDOW_MS } from '@forecourt/contracts';
import { only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { beginExecutions } from '../executions/begin-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { thresholdsKey } from '../history/history-stream.js';
import { claimOf, reserve, retentionMs, rules, useTestStore } from '../pool.test-support.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';
import { prepareCoinStore } from '../scripts/prepare-coin-store.js';
import { readUsagesFor } from './reservation-lookups.js';
import { claimReservations, type ClaimResult } from './claim-reservations.js';

const store = useTestStore();

const BUDGET = { kind: 'token', name: 'shop', token: 'shop', until: null } as const;

/** A check of a budget of 1000, in which a claim counts 100. */
const within = (over: Partial<ExpectedUsage> = {}): ExpectedUsage => ({
  counter: 'c',
  counts: 'gas',
  amount: '100',
  operator: '<=',
  limit: '1000',
  windowMs: 60_000,
  expected: true,
  held: true,
  budget: BUDGET,
  ...over,
});

const aPool = (count: number) => store.aPool(...Array<number>(count).fill(700_000));
const keyOf = (sponsor: string) => `fc:{${sponsor}}:usage:c`;

/** Reserves and claims; returns the result, and the thresholds that the process has learnt of. */
async function claim(
  sponsor: string,
  usage: readonly ExpectedUsage[],
  redis: CoinStoreRedis = store.redis,
) {
  const { reservationId } = await reserve(redis, sponsor);
  const digest = `D${reservationId}`;
  const made = await claimReservations(redis, sponsor, [claimOf(reservationId, digest, { usage })]);
  const result = made.results[0] as ClaimResult;
  const reached = made.reached.map(({ threshold }) => threshold);
  const settle = async (cost: bigint) => {
    const job = { reservationId, digest, fence: 1 };
    const begun = await only(beginExecutions(redis, sponsor, 'e', [job]));
    const settled = { returned: begun!.coins, rules, retentionMs, gasCharged: 0n, cost };
    await only(settleExecutions(redis, sponsor, [{ ...job, ...settled, outcome: 'executed' }]));
  };
  return { result: result.result, reached, settle };
}

/** The entries of the stream, and what they tell of the budget. */
async function announced(sponsor: string) {
  const entries = await store.redis.xrange(thresholdsKey(sponsor), '-', '+');
  return entries.map(([, pairs]) => {
    const fields = Object.fromEntries(
      pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1]]] : [])),
    ) as unknown as ThresholdEntry;
    return { ...fields, threshold: Number(fields.threshold) };
  });
}

const thresholds = async (sponsor: string) =>
  (await announced(sponsor)).map(({ threshold }) => threshold);

describe('a threshold of a budget', () => {
  it('is announced when the counter first reaches it, and to the process that has counted', async () => {
    const { sponsor } = await aPool(12);
    const reached = [];
    for (let claims = 1; claims <= 11; claims++) {
      reached.push((await claim(sponsor, [within()])).reached);
    }
    expect(reached).toEqual([[], [], [], [], [50], [], [], [80], [], [100], []]);
    const entries = await announced(sponsor);
    expect(entries.map(({ threshold, used }) => [threshold, used])).toEqual([
      [50, '500'],
      [80, '800'],
      [100, '1000'],
    ]);
    const window = await store.redis.hget(keyOf(sponsor), 'window');
    expect(entries[0]).toMatchObject({ counter: 'c', window });
    expect(JSON.parse(entries[0]!.budget)).toEqual({
      kind: 'token',
      name: 'shop',
      rule_set: null,
      token: 'shop',
      counts: 'gas',
      limit: '1000',
      window_secs: 60,
      ends_at: null,
    });
  });

  it('is the highest one where a claim passes several', async () => {
    const { sponsor } = await aPool(2);
    await claim(sponsor, [within({ amount: '850' })]);
    expect(await thresholds(sponsor)).toEqual([80]);
  });

  it('is announced once by many processes at once, exactly beyond 2^53', async () => {
    const { sponsor } = await aPool(40);
    const connections = Array.from({ length: 4 }, () =>
      prepareCoinStore(new Redis(store.server.url)),
    );
    const amount = 2n ** 56n;
    const check = within({ amount: String(amount), limit: String(amount * 40n) });
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, i) => claim(sponsor, [check], connections[i % 4])),
    );
    for (const connection of connections) connection.disconnect();
    expect(await thresholds(sponsor)).toEqual([50, 80, 100]);
    expect(claims.flatMap(({ reached }) => reached).toSorted()).toEqual([100, 50, 80]);
  });

  it('is not repeated after settlements have lowered the count', async () => {
    const { sponsor } = await aPool(4);
    for (let claims = 0; claims < 3; claims++) {
      const { settle } = await claim(sponsor, [within({ amount: '600' })]);
      await settle(10n);
    }
    expect(await store.redis.hget(keyOf(sponsor), 'used')).toBe('30');
    expect(await thresholds(sponsor)).toEqual([50]);
  });

  it('is announced again in the next window', async () => {
    const { sponsor } = await aPool(2);
    await claim(sponsor, [within({ amount: '500', windowMs: 50 })]);
    while ((await store.redis.exists(keyOf(sponsor))) === 1);
    await claim(sponsor, [within({ amount: '500' })]);
    expect(await thresholds(sponsor)).toEqual([50, 50]);
  });

  it('is 100 % once for the first claims that the limit has no room for', async () => {
    const { sponsor } = await aPool(5);
    await claim(sponsor, [within({ amount: '300' })]);
    const beyond = within({ amount: '800' });
    const refused = [await claim(sponsor, [beyond]), await claim(sponsor, [beyond])];
    expect(refused).toMatchObject([
      { result: 'usage', reached: [100] },
      { result: 'usage', reached: [] },
    ]);
    expect(await announced(sponsor)).toMatchObject([{ threshold: 100, used: '300' }]);
    expect(await store.redis.hget(keyOf(sponsor), 'used')).toBe('300');
    await claim(sponsor, [within({ amount: '600' })]);
    expect(await thresholds(sponsor)).toEqual([100]);
  });

  it('is 100 % also where the refusal is found by reading the counters, and only if it is asked for', async () => {
    const { sponsor } = await aPool(2);
    await claim(sponsor, [within({ amount: '300' })]);
    const read = (usage: readonly ExpectedUsage[]) =>
      readUsagesFor(store.redis, sponsor, { counters: ['c'], usage });
    expect(await read([])).toMatchObject({ usages: [{ used: '300' }], reached: [] });
    expect(await read([within({ amount: '700' })])).toMatchObject({ reached: [] });
    const refused = await read([within({ amount: '701' })]);
    expect(refused).toMatchObject({ usages: [{ used: '300' }], reached: [{ threshold: 100 }] });
    expect(await store.redis.hget(keyOf(sponsor), 'used')).toBe('300');
    expect(await thresholds(sponsor)).toEqual([100]);
  });

  it('belongs to its limit: one that is raised has new thresholds, and so have two of one counter', async () => {
    const { sponsor } = await aPool(4);
    const raised = within({ limit: '10000' });
    await claim(sponsor, [within({ amount: '500' }), raised]);
    await claim(sponsor, [within(), raised]);
    expect(await thresholds(sponsor)).toEqual([50]);
    await claim(sponsor, [within({ amount: '8000', limit: '10000' })]);
    expect(await thresholds(sponsor)).toEqual([50, 80]);
  });

  it('is not announced without a budget, or by a claim that counts nothing or fails', async () => {
    const { sponsor } = await aPool(4);
    await claim(sponsor, [within({ amount: '500', budget: null })]);
    await claim(sponsor, [within({ amount: '500', held: false })]);
    const other = within({ counter: 'd', amount: '600', limit: '500' });
    await claim(sponsor, [within({ amount: '100' }), { ...other, budget: null }]);
    expect(await thresholds(sponsor)).toEqual([]);
    await claim(sponsor, [within()]);
    expect(await thresholds(sponsor)).toEqual([50]);
  });

  it('is announced for a counter of which no threshold was announced yet, and is noted in its own field', async () => {
    const { sponsor } = await aPool(2);
    await store.redis.hset(keyOf(sponsor), { used: '700', window: '5' });
    await store.redis.pexpire(keyOf(sponsor), 60_000);
    await claim(sponsor, [within()]);
    expect(await announced(sponsor)).toMatchObject([{ threshold: 80, used: '800', window: '5' }]);
    expect(await store.redis.hgetall(keyOf(sponsor))).toEqual({
      used: '800',
      window: '5',
      'announced:1000': '80',
    });
  });
});

describe('the counter of a total', () => {
  it('lasts a hundred years, and tells so', async () => {
    const { sponsor } = await aPool(2);
    const until = Date.UTC(2090, 0);
    const budget = { ...BUDGET, until };
    await claim(sponsor, [within({ amount: '500', windowMs: TOTAL_WINDOW_MS, budget })]);
    expect(await store.redis.pttl(keyOf(sponsor))).toBeGreaterThan(TOTAL_WINDOW_MS - 60_000);
    const [entry] = await announced(sponsor);
    expect(JSON.parse(entry!.budget)).toMatchObject({ window_secs: null, ends_at: until });
  });
});
