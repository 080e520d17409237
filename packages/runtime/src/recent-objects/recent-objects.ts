import type { RecentObject } from '@forecourt/ledger';
import { Cluster } from 'ioredis';
import type { RedisConnection } from '../redis/index.js';
import { readRecentObject, writeRecentObject } from './stored-object.js';

/** Longer than the lag of any usable node. */
const KEPT_MS = 60_000;

/** The highest version stays, in any order of records. */
const RECORD = `
local stored = redis.call('GET', KEYS[1])
if stored and tonumber(string.match(stored, '^%d+')) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

/** Gateways read recent objects and executors write them; they belong to no sponsor's pool. */
const keyOf = (objectId: string) => `fc:recent-object:${objectId}`;

type WithScript = RedisConnection & {
  recordRecentObject(key: string, version: number, text: string, keptMs: number): Promise<number>;
};

/** Recent objects of the last minute, for the whole fleet. */
export class RecentObjects {
  readonly #redis: WithScript;

  constructor(redis: RedisConnection) {
    redis.defineCommand('recordRecentObject', { numberOfKeys: 1, lua: RECORD });
    this.#redis = redis as WithScript;
  }

  /** Sends the commands before it returns: later commands to the same Redis see their effect. */
  async record(objects: readonly RecentObject[]): Promise<void> {
    await Promise.all(
      objects.map((object) =>
        this.#redis.recordRecentObject(
          keyOf(object.objectId),
          object.version,
          writeRecentObject(object),
          KEPT_MS,
        ),
      ),
    );
  }

  /** The known ones among them, by id. */
  async read(objectIds: readonly string[]): Promise<ReadonlyMap<string, RecentObject>> {
    if (objectIds.length === 0) return new Map();
    const texts = await this.readTexts(objectIds.map(keyOf));
    const found = objectIds.flatMap((objectId, index) => {
      const object = readRecentObject(objectId, texts[index] ?? null);
      return object === null ? [] : [[objectId, object] as const];
    });
    return new Map(found);
  }

  /** In a cluster the keys are in different slots. */
  private readTexts(keys: readonly string[]): Promise<(string | null)[]> {
    const redis = this.#redis;
    if (redis instanceof Cluster) return Promise.all(keys.map((key) => redis.get(key)));
    return redis.mget(...keys);
  }
}
