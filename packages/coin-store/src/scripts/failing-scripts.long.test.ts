import { beforeAll, describe, expect, it } from '@jest/globals';
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

  it.each(everyScript)('%s with an argument that is no number, or out of range', async (name) => {
    for (const { args, before } of calls.get(name)!) {
      await restoreKeys(store.redis as Redis, before);
      for (const wrong of wrongArguments(args)) {
        const isFailed = await requireNothingOrAll(name, wrong);
        if (!isFailed) await restoreKeys(store.redis as Redis, before);
      }
    }
  });

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
});
