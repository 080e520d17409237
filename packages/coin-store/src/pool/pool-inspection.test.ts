import { describe, expect, it } from '@jest/globals';
import { COIN_STORAGE_COST } from '@forecourt/ledger';
import { only } from '@forecourt/testing/redis';
import { beginNew } from '../executions/execution.test-support.js';
import { quarantineExecution } from '../executions/quarantines.js';
import { settleExecutions } from '../executions/settle-executions.js';
import {
  aCoin,
  aLead,
  caller,
  claim,
  reserve,
  retentionMs,
  rules,
  type TestStore,
  useTestStore,
} from '../pool.test-support.js';
import { drainSponsor } from './drains.js';
import { adoptCoins } from './adopt-coins.js';
import { inspectPool, noteSpending } from './pool-inspection.js';
import { renewCoin, snapshotPool } from './pool-snapshot.js';
import { checkRedisRestart } from './suspension.js';
import { takeLead } from '../upkeep/leader-lock.js';
import { beginMaintenance, finishMaintenance } from '../upkeep/maintenance-operations.js';

const store: TestStore = useTestStore();
const HOUR_MS = 3_600_000;

const begin = (sponsor: string, digest: string) => beginNew(store.redis, sponsor, digest);

/** Makes a transaction pay gas. */
async function spend(sponsor: string, gasCharged: bigint, digest = 'D') {
  const { job, coins } = await begin(sponsor, digest);
  await only(
    settleExecutions(store.redis, sponsor, [
      {
        ...job,
        gasCharged,
        rules,
        retentionMs,
        outcome: 'executed',
        // It pays, and its deposit stays.
        returned: coins,
        cost: gasCharged,
      },
    ]),
  );
}

/** Sets the age of a note. */
async function noteOf(sponsor: string, agoMs: number, gasCharged: bigint) {
  const time = Date.now() - agoMs;
  await store.redis.zadd(`fc:{${sponsor}}:spending`, time, `${time}|${gasCharged}`);
  return time;
}

describe('inspecting a pool', () => {
  it('shows an empty pool without a leader', async () => {
    const { sponsor } = await store.aPool();
    const pool = await inspectPool(store.redis, sponsor, 10);
    expect(pool).toMatchObject({
      sponsor,
      hour: null,
      day: null,
      leader: null,
      suspendedMs: null,
      transactions: [],
      drain: null,
      sizes: [],
    });
    expect(pool.coins.every(({ coins, balance }) => coins === '0' && balance === '0')).toBe(true);
  });

  it('shows coins and reservations by state, with the leader, a suspension and a drain', async () => {
    const { sponsor } = await store.aPool(700_000, 800_000, 50_000, 9_000_000);
    await reserve(store.redis, sponsor);
    const order = { reason: 'key “rotation”', by: 'ops', since: 1_760_000_000_000 };
    await drainSponsor(store.redis, sponsor, order);
    await takeLead(store.redis, sponsor, aLead('coin-pool-1'));
    const server = { runId: 'another', mayForget: true, holdMs: 30_000 };
    const witness = { witness: 'coin-pool-1', watermark: 0, others: [] };
    await checkRedisRestart(store.redis, sponsor, { ...server, ...witness });
    const { coins, reservations, leader, suspendedMs, drain } = await inspectPool(
      store.redis,
      sponsor,
      10,
    );
    const held = new Map(coins.map(({ state, ...rest }) => [state, rest]));
    expect(held.get('reserved')).toEqual({ coins: '1', balance: '700000' });
    expect(held.get('available')).toEqual({ coins: '1', balance: '800000' });
    expect(held.get('dust')).toEqual({ coins: '1', balance: '50000' });
    expect(held.get('treasury')).toEqual({ coins: '1', balance: '9000000' });
    expect(reservations).toContainEqual({ state: 'reserved', count: 1 });
    expect(leader).toBe('coin-pool-1');
    expect(suspendedMs).toBeGreaterThan(20_000);
    expect(drain).toEqual(order);
  });

  it('counts available coins by size, the largest first, without sizes that have none', async () => {
    const { sponsor } = await store.aPool(600_000, 700_000, 1_000_000, 1_100_000, 50_000);
    const { sizes } = await inspectPool(store.redis, sponsor, 0);
    expect(sizes).toEqual([
      { atLeast: '1048576', coins: 1 },
      { atLeast: '524288', coins: 3 },
    ]);
    for (let count = 0; count < 3; count++) await reserve(store.redis, sponsor);
    expect((await inspectPool(store.redis, sponsor, 0)).sizes).toEqual([
      { atLeast: '1048576', coins: 1 },
    ]);
  });

  it('lists transactions in flight with age, executor, and reason and epoch of a quarantine', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
    const waiting = await reserve(store.redis, sponsor);
    await claim(store.redis, sponsor, waiting.reservationId, 'D1');
    await begin(sponsor, 'D2');
    const { job } = await begin(sponsor, 'D3');
    const message = 'locked\tby another';
    await quarantineExecution(store.redis, sponsor, { ...job, message, epoch: 7n });
    const { transactions } = await inspectPool(store.redis, sponsor, 10);
    expect(transactions).toEqual([
      {
        state: 'claimed',
        reservationId: waiting.reservationId,
        caller,
        digest: 'D1',
        reservedAt: waiting.deadlineMs - 60_000,
        begunAt: null,
        ageMs: expect.any(Number),
        executor: null,
        coins: 1,
        reason: null,
        quarantineEpoch: null,
        movedOnBy: null,
      },
      expect.objectContaining({
        state: 'executing',
        digest: 'D2',
        executor: 'ex-1',
        begunAt: expect.any(Number),
      }),
      expect.objectContaining({
        state: 'quarantined',
        digest: 'D3',
        reason: message,
        quarantineEpoch: 7,
      }),
    ]);
    expect(transactions.every(({ ageMs }) => ageMs < 10_000)).toBe(true);
  });

  it('lists no more of each state than requested, and counts all', async () => {
    const { sponsor } = await store.aPool(...Array<number>(5).fill(700_000));
    for (const digest of ['A', 'B', 'C', 'D', 'E']) await begin(sponsor, digest);
    const { transactions, reservations } = await inspectPool(store.redis, sponsor, 2);
    expect(transactions.map(({ digest }) => digest)).toEqual(['A', 'B']);
    expect(reservations).toContainEqual({ state: 'executing', count: 5 });
    expect((await inspectPool(store.redis, sponsor, 0)).transactions).toEqual([]);
  });

  it('shortens a reason of the maximum length', async () => {
    const { sponsor } = await store.aPool(700_000);
    const { job } = await begin(sponsor, 'D');
    const message = 'é'.repeat(100_000);
    await quarantineExecution(store.redis, sponsor, { ...job, message, epoch: 1n });
    const [only] = (await inspectPool(store.redis, sponsor, 1)).transactions;
    expect(only!.reason!.startsWith('éé')).toBe(true);
    expect(only!.reason!.length).toBeLessThanOrEqual(1_000);
  });
});

describe('the spending of a pool', () => {
  it('is shown since the first note, which is made at most once in five minutes', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000);
    await spend(sponsor, 1_000n);
    expect(await noteSpending(store.redis, sponsor)).toBe(true);
    expect(await noteSpending(store.redis, sponsor)).toBe(false);
    await spend(sponsor, 250n);
    const { hour, day } = await inspectPool(store.redis, sponsor, 0);
    expect(hour).toEqual(day);
    expect(hour!.spent).toBe('250');
    expect(Date.now() - hour!.since).toBeLessThan(10_000);
  });

  it('begins with the last note from before the hour or day', async () => {
    const { sponsor } = await store.aPool(700_000);
    await spend(sponsor, 10_000n);
    await noteOf(sponsor, 25 * HOUR_MS, 1_000n);
    const day = await noteOf(sponsor, 24 * HOUR_MS + 60_000, 2_000n);
    await noteOf(sponsor, 2 * HOUR_MS, 8_000n);
    const hour = await noteOf(sponsor, HOUR_MS + 60_000, 9_000n);
    await noteOf(sponsor, 60_000, 9_900n);
    const pool = await inspectPool(store.redis, sponsor, 0);
    expect(pool.hour).toMatchObject({ spent: '1000', since: hour });
    expect(pool.day).toMatchObject({ spent: '8000', since: day });
    expect(pool.hour!.forMs).toBeGreaterThanOrEqual(HOUR_MS + 60_000);
  });

  const split = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 10_000 } as const;
  const fold = { kind: 'fold', from: 'dust', maxCoins: 9, leaseMs: 0 } as const;
  const spentIn = async (sponsor: string) =>
    BigInt((await inspectPool(store.redis, sponsor, 0)).hour!.spent);
  /** The sponsor's own transaction; `made`: balances of its new coins. Also returns those. */
  async function maintain(
    sponsor: string,
    kind: typeof split | typeof fold,
    gasCharged: bigint,
    made: readonly number[] = [],
  ) {
    const { operationId, coins } = (await beginMaintenance(store.redis, sponsor, kind))!;
    const left = { ...coins[0]!, version: 2 };
    const created = made.map((balance) => aCoin(balance));
    const finish = () =>
      finishMaintenance(store.redis, sponsor, {
        operationId,
        returned: [left],
        created,
        rules,
        gasCharged,
      });
    return { created, finish };
  }

  it('leaves out deposits of coins that a split has made since a note, also if a scan saw them first', async () => {
    const { sponsor } = await store.aPool(50_000_000);
    await noteSpending(store.redis, sponsor);
    const gas = 3n * COIN_STORAGE_COST + 1_000n;
    const { created, finish } = await maintain(sponsor, split, gas, [700_000, 700_000, 700_000]);
    await adoptCoins(store.redis, sponsor, [created[0]!], rules);
    expect([await finish(), await finish()]).toEqual([true, false]);
    expect(await spentIn(sponsor)).toBe(1_000n);
  });

  it('does not change by coins that others send in, nor by their deposits when they are merged', async () => {
    const { sponsor } = await store.aPool(700_000);
    await spend(sponsor, 5_000n);
    await noteSpending(store.redis, sponsor);
    await spend(sponsor, 1_000n, 'D2');
    const sent = [aCoin(40_000), aCoin(40_000), aCoin(40_000)];
    await adoptCoins(store.redis, sponsor, sent, rules);
    expect(await spentIn(sponsor)).toBe(1_000n);
    const { finish } = await maintain(sponsor, fold, 500n - 2n * COIN_STORAGE_COST);
    await finish();
    expect(await spentIn(sponsor)).toBe(1_500n);
  });

  it('does not change by a coin that another wallet has taken', async () => {
    const { sponsor } = await store.aPool(700_000, 50_000);
    await noteSpending(store.redis, sponsor);
    await spend(sponsor, 1_000n);
    const [dust] = (await snapshotPool(store.redis, sponsor)).coins.filter(
      ({ state }) => state === 'dust',
    );
    const renewal = { before: dust!, after: null, rules, retentionMs };
    expect(await renewCoin(store.redis, sponsor, renewal)).toBe(true);
    expect(await spentIn(sponsor)).toBe(1_000n);
  });

  it('is negative after refunds, and old notes are dropped', async () => {
    const { sponsor } = await store.aPool(700_000);
    await spend(sponsor, -5_000n);
    for (let i = 0; i < 320; i++) await noteOf(sponsor, (400 - i) * 300_000, -BigInt(i));
    expect(await noteSpending(store.redis, sponsor)).toBe(true);
    expect(await store.redis.zcard(`fc:{${sponsor}}:spending`)).toBe(300);
    expect(BigInt((await inspectPool(store.redis, sponsor, 0)).hour!.spent)).toBeLessThan(0n);
  });
});
