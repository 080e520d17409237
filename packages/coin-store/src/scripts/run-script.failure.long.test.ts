import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/redis';
import type { Redis } from 'ioredis';
import { useTestStore } from '../pool.test-support.js';
import {
  readKeys,
  type RecordedScript,
  recordScripts,
  restoreKeys,
  type ScriptArguments,
} from './recorded-scripts.test-support.js';
import { everyScript } from './run-every-script.test-support.js';

const store = useTestStore();

const WRONG_VALUES = ['', 'x', '-1', '1e30', '9223372036854775807', '18446744073709551616'];

/**
 * Circumstances in which a server refuses writes: how to bring them about and to end them, and its errors.
 */
const REFUSING: readonly {
  readonly circumstance: string;
  readonly begin: (redis: Redis) => Promise<unknown>;
  readonly end: (redis: Redis) => Promise<unknown>;
  readonly error: RegExp;
}[] = [
  {
    circumstance: 'whose memory is full',
    begin: (redis) => redis.config('SET', 'maxmemory', '1'),
    end: (redis) => redis.config('SET', 'maxmemory', '0'),
    error: /OOM command not allowed/,
  },
  {
    circumstance: 'that is a replica',
    begin: (redis) => redis.replicaof('127.0.0.1', 1),
    end: (redis) => redis.replicaof('NO', 'ONE'),
    error: /read ?only replica/i,
  },
  {
    circumstance: 'that lacks replicas',
    begin: (redis) => redis.config('SET', 'min-replicas-to-write', '1'),
    end: (redis) => redis.config('SET', 'min-replicas-to-write', '0'),
    error: /NOREPLICAS/,
  },
  {
    circumstance: 'whose disk takes no snapshot',
    async begin(redis) {
      if (await isSnapshotTaken(redis)) await failSnapshot(redis);
      await redis.config('SET', 'save', '3600 1000000');
    },
    // A server that is to take snapshots would not end either.
    end: (redis) => redis.config('SET', 'save', ''),
    error: /MISCONF/,
  },
];

const isSnapshotTaken = async (redis: Redis) =>
  (await redis.info('persistence')).includes('rdb_last_bgsave_status:ok');

/** A folder is where the file of the snapshot would be. */
async function failSnapshot(redis: Redis): Promise<void> {
  const [, folder] = (await redis.config('GET', 'dir')) as [string, string];
  const file = join(folder, 'dump.rdb');
  rmSync(file, { force: true });
  mkdirSync(file);
  await redis.bgsave();
  await waitUntil(async () => !(await isSnapshotTaken(redis)));
}

/** Each argument in turn with each wrong value: as a whole, and as the first or last number of a text. */
function* wrongArguments(args: ScriptArguments): Generator<ScriptArguments> {
  for (let place = 1; place < args.length; place++) {
    const given = String(args[place]);
    const wrong = WRONG_VALUES.flatMap((value) => [
      value,
      given.replace(/\d+/, value),
      given.replace(/\d+(?=\D*$)/, value),
    ]);
    for (const value of new Set(wrong)) if (value !== given) yield args.with(place, value);
  }
}

describe('a script that fails changes nothing:', () => {
  let calls: ReadonlyMap<string, readonly RecordedScript[]>;
  beforeAll(async () => {
    calls = await recordScripts(store.redis);
  });

  /** Fails with the arguments and what the script has changed, if it fails and has changed something. */
  async function requireNothingOrAll(name: string, args: ScriptArguments): Promise<boolean> {
    const redis = store.redis as Redis;
    const before = await readKeys(redis);
    const [prefix, ...rest] = args;
    const reply: unknown = await store.redis[`coinStore:${name}`]!(String(prefix), ...rest).catch(
      (error: Error) => error,
    );
    const isFailed = reply instanceof Error || JSON.stringify(reply).includes('["failed",');
    if (isFailed) {
      const stored = await readKeys(redis);
      expect({ args, reply: String(reply), stored }).toEqual({
        args,
        reply: String(reply),
        stored: before,
      });
    }
    return isFailed;
  }

  it.each(everyScript)(
    '%s with an argument that is not a number, or out of range',
    async (name) => {
      for (const { args, before } of calls.get(name)!) {
        await restoreKeys(store.redis as Redis, before);
        for (const wrong of wrongArguments(args)) {
          const isFailed = await requireNothingOrAll(name, wrong);
          if (!isFailed) await restoreKeys(store.redis as Redis, before);
        }
      }
    },
  );

  it.each(everyScript)('%s with a key of another type', async (name) => {
    const redis = store.redis as Redis;
    for (const { args, before, after } of calls.get(name)!) {
      for (const key of new Set([...before.keys(), ...after])) {
        await restoreKeys(redis, before);
        const type = await redis.type(key);
        await redis.del(key);
        if (type === 'hash') await redis.rpush(key, 'x');
        else await redis.hset(key, 'x', 'y');
        await requireNothingOrAll(name, args);
      }
    }
  });

  it.each(REFUSING)('every script, at a server $circumstance', async ({ begin, end, error }) => {
    const redis = store.redis as Redis;
    const refused = new Set<string>();
    // Reservations that others recorded may be over.
    const fresh = await recordScripts(store.redis);
    for (const name of everyScript) {
      for (const { args, before } of fresh.get(name)!) {
        await restoreKeys(redis, before);
        await begin(redis);
        const [prefix, ...rest] = args;
        const reply: unknown = await store.redis[`coinStore:${name}`]!(
          String(prefix),
          ...rest,
        ).catch(({ message }: Error) => message);
        const stored = await readKeys(redis);
        await end(redis);
        if (!error.test(JSON.stringify(reply))) continue;
        refused.add(name);
        await restoreKeys(redis, before);
        expect({ name, stored }).toEqual({ name, stored: await readKeys(redis) });
      }
    }
    expect(refused).toContain('claim-reservation');
    // What returns coins begins by removing: it goes on where only memory is missing, and frees some.
    expect(refused.has('settle-execution')).toBe(!error.test('OOM command not allowed'));
  });
});
