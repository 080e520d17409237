import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  beginExecutions,
  claimReservations,
  excludeExecution,
  quarantineExecution,
  refuseExecution,
  reserveGas,
} from '@forecourt/coin-store';
import { only } from '@forecourt/testing/redis';
import { type TestPool, useTestFleet } from '../test-fleet.test-support.js';
import { InputLocks } from './input-locks.js';

const fleet = useTestFleet();

const KEPT_MS = 7 * 24 * 3_600_000;
const anInput = () => `0x${randomBytes(32).toString('hex')}:7`;
const lockKey = (input: string) => `fc:{${input}}:lock`;
const aDigest = () => randomBytes(32).toString('hex');

async function aPool(coins = 4): Promise<TestPool> {
  const pool = await fleet.aPool(Array<bigint>(coins).fill(50_000_000n));
  await pool.correction.adoptNewCoins(pool.sponsor);
  return pool;
}

async function reserved({ redis, sponsor }: TestPool): Promise<number> {
  const request = { caller: 'shop', gasBudget: 1_000, durationMs: 60_000 };
  const [reservation] = await reserveGas(redis, sponsor, [request]);
  return (reservation as { reservationId: number }).reservationId;
}

/** A transaction over some inputs, with a reservation of one pool. */
async function aTransaction(pool: TestPool, inputs: readonly string[], reservationId?: number) {
  const id = reservationId ?? (await reserved(pool));
  const digest = aDigest();
  const locks = new InputLocks(pool.redis);
  const named = { sponsor: pool.sponsor, reservationId: id, digest, inputs };
  const claim = (fence: number | null, over: object = {}) =>
    only(
      claimReservations(pool.redis, pool.sponsor, [
        {
          ...named,
          fence,
          caller: 'shop',
          leaseMs: 60_000,
          txBytes: 'AAAA',
          userSig: 'AAAA',
          rule: '',
          usage: [],
          waiter: { gateway: 'gw', requestType: 'waitForEffectsCert' },
          ...over,
        },
      ]),
    );
  return {
    ...named,
    pool,
    claim,
    run: (over?: object) => locks.around(named, (fence) => claim(fence, over)),
    /** Locks the inputs; the claim follows when it is called. */
    async lockOnly() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const locked = Promise.withResolvers<void>();
      const claimed = locks.around(named, async (fence) => {
        locked.resolve();
        await promise;
        return claim(fence);
      });
      await locked.promise;
      return async () => {
        resolve();
        return claimed;
      };
    },
  };
}

type Transaction = Awaited<ReturnType<typeof aTransaction>>;

async function begin({ pool, reservationId, digest }: Transaction, fence = 1) {
  const job = { reservationId, digest, fence };
  expect(await only(beginExecutions(pool.redis, pool.sponsor, 'e', [job]))).not.toBeNull();
  return job;
}

async function refuse(transaction: Transaction) {
  const refusal = { ...(await begin(transaction)), message: 'gas price', retentionMs: 60_000 };
  const { redis, sponsor } = transaction.pool;
  expect((await refuseExecution(redis, sponsor, refusal)).refused).toBe(true);
}

/** As if the coin-pool that locked it had died some time ago. */
const age = (input: string, ms: number) => fleet.redis.pexpire(lockKey(input), KEPT_MS - ms);

/** Runs a task of the pool's leader once. */
async function runTask({ tasks, sponsor }: TestPool, name: string) {
  const task = tasks.find((one) => one.name === name)!;
  await task.run({ sponsor } as Parameters<typeof task.run>[0]);
}

const limit = {
  counter: 'a',
  counts: 'requests',
  amount: '1',
  operator: '<=',
  limit: '0',
  windowMs: 60_000,
  expected: true,
  held: true,
};

describe('locking inputs for a claim', () => {
  it('lets one of two transactions of different pools claim', async () => {
    const [one, two, input] = [await aPool(), await aPool(), anInput()];
    const [first, second] = [await aTransaction(one, [input]), await aTransaction(two, [input])];
    expect(await first.run()).toEqual({ result: 'claimed', fence: 1 });
    expect(await second.run()).toEqual({ result: 'locked', input, digest: first.digest });
    await age(input, KEPT_MS / 2);
    expect(await second.run()).toMatchObject({ result: 'locked' });
  });

  it('lets exactly one of many over the same inputs claim, in whatever order they name them', async () => {
    const pools = [await aPool(), await aPool(), await aPool()];
    const inputs = [anInput(), anInput(), anInput()];
    const all = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        aTransaction(pools[i % 3]!, i % 2 === 0 ? inputs : inputs.toReversed()),
      ),
    );
    const results = await Promise.all(all.map((one) => one.run()));
    const claimed = results.filter(({ result }) => result === 'claimed');
    expect([claimed.length, new Set(results.map(({ result }) => result))]).toEqual([
      1,
      new Set(['claimed', 'locked']),
    ]);
  });

  it('unlocks the inputs when the claim is refused', async () => {
    const [one, two, inputs] = [await aPool(), await aPool(), [anInput(), anInput()]];
    const [first, second] = [await aTransaction(one, inputs), await aTransaction(two, inputs)];
    expect((await first.run({ usage: [limit] })).result).toBe('usage');
    expect(await fleet.redis.exists(...inputs.map(lockKey))).toBe(0);
    expect((await second.run()).result).toBe('claimed');
    expect((await first.run()).result).toBe('locked');
  });

  it('unlocks the inputs that it has locked when another one is locked', async () => {
    const [one, two] = [await aPool(), await aPool()];
    const [lower, upper] = [anInput(), anInput()].toSorted() as [string, string];
    expect((await (await aTransaction(one, [upper])).run()).result).toBe('claimed');
    const second = await aTransaction(two, [lower, upper]);
    expect((await second.run()).result).toBe('locked');
    expect((await (await aTransaction(one, [lower])).run()).result).toBe('claimed');
  });

  it('keeps an input locked for a claim that may still be made', async () => {
    const [one, two, input] = [await aPool(), await aPool(), anInput()];
    const claim = await (await aTransaction(one, [input])).lockOnly();
    expect((await (await aTransaction(two, [input])).run()).result).toBe('locked');
    expect((await claim()).result).toBe('claimed');
  });

  it('takes an input whose claim was not made in time, which then cannot be made', async () => {
    const [one, two, input] = [await aPool(), await aPool(), anInput()];
    const [first, second] = [await aTransaction(one, [input]), await aTransaction(two, [input])];
    const claim = await first.lockOnly();
    await age(input, 5_000);
    expect((await second.run()).result).toBe('claimed');
    expect(await claim()).toEqual({ result: 'locked', input, digest: second.digest });
    expect((await fleet.redis.get(lockKey(input)))!.split('|')[2]).toBe(second.digest);
  });

  it('binds concurrent and repeated calls for one transaction to one claim', async () => {
    const [pool, other, input] = [await aPool(), await aPool(), anInput()];
    const transaction = await aTransaction(pool, [input]);
    const results = await Promise.all([1, 2, 3].map(() => transaction.run()));
    expect(results.map(({ result }) => result).toSorted()).toEqual(['claimed', 'known', 'known']);
    expect((await transaction.run()).result).toBe('known');
    expect((await (await aTransaction(other, [input])).run()).result).toBe('locked');
  });

  it('reports a reservation that is bound to another transaction over the same input as used', async () => {
    const [pool, input] = [await aPool(), anInput()];
    const first = await aTransaction(pool, [input]);
    await first.run();
    const other = await aTransaction(pool, [input], first.reservationId);
    expect((await other.run()).result).toBe('used');
    expect((await fleet.redis.get(lockKey(input)))!.split('|')[2]).toBe(first.digest);
  });

  it('lets an input go at once when its transaction is refused for certain', async () => {
    const [one, two, input] = [await aPool(), await aPool(), anInput()];
    const first = await aTransaction(one, [input]);
    await first.run();
    await refuse(first);
    const second = await aTransaction(two, [input]);
    expect((await second.run()).result).toBe('claimed');
    await refuse(second);
    expect(await first.run()).toEqual({ result: 'claimed', fence: 2 });
    expect((await second.run()).result).toBe('locked');
  });

  it('keeps the inputs of a quarantined transaction until it can never be executed', async () => {
    const [one, two, input] = [await aPool(), await aPool(), anInput()];
    const [first, second] = [await aTransaction(one, [input]), await aTransaction(two, [input])];
    await first.run();
    const job = await begin(first);
    await quarantineExecution(one.redis, one.sponsor, { ...job, message: 'locked', epoch: 1n });
    expect((await second.run()).result).toBe('locked');
    await excludeExecution(one.redis, one.sponsor, job);
    expect((await second.run()).result).toBe('claimed');
  });
});

describe('the leader of a pool', () => {
  it('deletes the locks of transactions that have ended, and no others', async () => {
    const [one, two] = [await aPool(), await aPool()];
    const [ended, taken, held] = [anInput(), anInput(), anInput()];
    const first = await aTransaction(one, [ended, taken]);
    await first.run();
    await (await aTransaction(one, [held])).run();
    await refuse(first);
    await (await aTransaction(two, [taken])).run();
    await runTask(one, 'delete input locks');
    expect(
      await Promise.all([ended, taken, held].map((i) => fleet.redis.exists(lockKey(i)))),
    ).toEqual([0, 1, 1]);
  });

  it.each(['renew input locks', 'lock inputs again'])(
    '%s of transactions in flight',
    async (step) => {
      const [one, two] = [await aPool(), await aPool()];
      const [lost, old] = [anInput(), anInput()];
      await (await aTransaction(one, [lost, old])).run();
      await fleet.redis.del(lockKey(lost));
      await age(old, KEPT_MS - 1_000);
      await runTask(one, step);
      expect((await (await aTransaction(two, [lost])).run()).result).toBe('locked');
      expect(await fleet.redis.pttl(lockKey(old))).toBeGreaterThan(KEPT_MS - 60_000);
    },
  );
});
