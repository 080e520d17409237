import type { Redis } from 'ioredis';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { quarantineExecution } from '../executions/quarantines.js';
import { refuseExecution } from '../executions/unsettled-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { setHistoryBacklog } from '../history/history-stream.js';
import { adoptCoins } from '../pool/adopt-coins.js';
import { registerSponsor } from '../pool/sponsor-registry.js';
import { aCoin, claimOf, randomAddress, retentionMs, rules } from '../pool.test-support.js';
import { claimReservations } from '../reservations/claim-reservations.js';
import { releaseReservation } from '../reservations/release-reservations.js';
import { reserveGas } from '../reservations/reserve-gas.js';
import { noLimits } from '../reservations/limited-reservations.test-support.js';
import type { CoinStoreRedis } from './run-script.js';
import { everyScript, runEveryScript } from './run-every-script.test-support.js';

export type ScriptArguments = readonly (string | number)[];

/** A call of a script that succeeded. */
export interface RecordedScript {
  /** The first one is the prefix of the keys. */
  readonly args: ScriptArguments;
  /** Everything that was stored before it. */
  readonly before: SavedKeys;
  /** The names of the keys after it. */
  readonly after: readonly string[];
}

/** Of one script in one pool. */
const MOST_CALLS = 2;

/** Calls of every script, recorded in pools with and without limits and history. */
export async function recordScripts(
  redis: CoinStoreRedis,
): Promise<ReadonlyMap<string, readonly RecordedScript[]>> {
  const calls = new Map<string, RecordedScript[]>(everyScript.map((name) => [name, []]));
  const scripts = everyScript.map((name) => [name, redis[`coinStore:${name}`]!] as const);
  let recorded = new Map<string, number>();
  for (const [name, run] of scripts) {
    redis[`coinStore:${name}`] = async (...args) => {
      const count = recorded.get(name) ?? 0;
      recorded.set(name, count + 1);
      if (count >= MOST_CALLS) return run.apply(redis, args);
      const before = await saveKeys(redis as Redis);
      const reply = await run.apply(redis, args);
      calls.get(name)!.push({ args, before, after: await (redis as Redis).keys('*') });
      return reply;
    };
  }
  await runEveryScript(redis, randomAddress());
  recorded = new Map();
  await (redis as Redis).flushall();
  await sponsorWithEverything(redis);
  for (const [name, run] of scripts) redis[`coinStore:${name}`] = run;
  return calls;
}

/** Sponsors in a pool that has all that is optional. */
async function sponsorWithEverything(redis: CoinStoreRedis): Promise<void> {
  const sponsor = randomAddress();
  const caller = 'token:user';
  await registerSponsor(redis, sponsor);
  const coins = Array.from({ length: 12 }, () => aCoin(1_000_000));
  await adoptCoins(redis, sponsor, coins, rules);
  await setHistoryBacklog(redis, sponsor, 10);
  const limits = { ...noLimits, coins: 50, budgetPerMinute: 50_000_000, poolShare: 50 };
  const gasBudget = 1_500_000;
  const reserve = async () => {
    const request = { caller, gasBudget, durationMs: 60_000, limits, usersLimits: limits };
    const [reserved] = await reserveGas(redis, sponsor, [request]);
    if (!reserved || 'usedUp' in reserved) throw new Error('nothing reserved');
    return reserved;
  };
  const begin = async (digest: string) => {
    const { reservationId, coins: paying } = await reserve();
    const budget = { kind: 'token', name: caller, token: caller, until: null } as const;
    const counted = { counter: 'c', counts: 'gas', operator: '<=', windowMs: 60_000 } as const;
    const claim = claimOf(reservationId, digest, {
      caller,
      inputs: [`${randomAddress()}:1`],
      usage: [
        { ...counted, amount: '4600000', limit: '9000000', expected: true, held: true, budget },
      ],
      quarantineLimit: { most: 5, windowMs: 60_000 },
      quarantinedElsewhere: [100],
    });
    const claimed = await only(claimReservations(redis, sponsor, [claim]));
    if (claimed.result !== 'claimed') throw new Error(claimed.result);
    const job = { reservationId, digest, fence: claimed.fence };
    await only(beginExecutions(redis, sponsor, 'e', [job]));
    return { ...job, paying };
  };
  const { reservationId } = await reserve();
  await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
  await refuseExecution(redis, sponsor, { ...(await begin('D1')), message: 'no', retentionMs });
  const settle = async ({ paying, ...job }: Awaited<ReturnType<typeof begin>>) => {
    const [first] = paying;
    const returned = [{ ...first!, version: 2, balance: 900_000n }];
    const gasUsed = { gasCharged: 100_000n, cost: 100_000n, submissions: [5] };
    const result = { outcome: 'success', computation: '9', storage: '3', rebate: '2' } as const;
    const settled = { ...job, ...gasUsed, returned, rules, retentionMs, result };
    await only(settleExecutions(redis, sponsor, [{ ...settled, outcome: 'executed' }]));
  };
  await settle(await begin('D2'));
  const quarantined = await begin('D3');
  const conflict = { ...quarantined, message: 'locked', epoch: 1n, submissions: [5] };
  await quarantineExecution(redis, sponsor, conflict);
  await only(beginExecutions(redis, sponsor, 'other', [quarantined]));
  await settle(quarantined);
}

export type SavedKeys = ReadonlyMap<string, { readonly dump: Buffer; readonly leftMs: number }>;

async function saveKeys(redis: Redis): Promise<SavedKeys> {
  const saved = await Promise.all(
    (await redis.keys('*')).map(async (name) => {
      const [dump, leftMs] = await Promise.all([redis.dumpBuffer(name), redis.pttl(name)]);
      return [name, { dump, leftMs: Math.max(0, leftMs) }] as const;
    }),
  );
  return new Map(saved);
}

/** Stores these keys and no others. */
export async function restoreKeys(redis: Redis, saved: SavedKeys): Promise<void> {
  const pipeline = redis.pipeline().flushall();
  for (const [name, { dump, leftMs }] of saved) pipeline.restore(name, String(leftMs), dump);
  await pipeline.exec();
}

/**
 * The contents of all keys, for comparisons, without what scripts read like an absent one: the number 0, an
 * empty stream.
 */
export async function readKeys(redis: Redis): Promise<object> {
  const names = (await redis.keys('*')).toSorted();
  const entries = await Promise.all(
    names.map(async (name) => [name, await readKey(redis, name)] as const),
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== '0'));
}

async function readKey(redis: Redis, name: string): Promise<unknown> {
  switch (await redis.type(name)) {
    case 'string':
      return redis.get(name);
    case 'hash': {
      const fields = Object.entries(await redis.hgetall(name));
      const some = fields.filter(([, value]) => value !== '0').toSorted();
      return some.length === 0 ? '0' : some;
    }
    case 'set':
      return (await redis.smembers(name)).toSorted();
    case 'zset':
      return redis.zrange(name, '0', '-1', 'WITHSCORES');
    case 'list':
      return redis.lrange(name, 0, -1);
    default: {
      const entries = await redis.xrange(name, '-', '+');
      return entries.length === 0 ? '0' : entries;
    }
  }
}
