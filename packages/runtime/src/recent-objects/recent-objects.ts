import type { RecentObject } from '@forecourt/ledger';
import { Cluster } from 'ioredis';
import type { RedisConnection } from '../redis/index.js';
import { readRecentObject, writeRecentObject } from './stored-object.js';

/** Longer than a node that can be used is behind. */
const KEPT_MS = 60_000;

/** A later version stays, whatever the order in which several are recorded. */
const RECORD = `
local stored = redis.call('GET', KEYS[1])
if stored and tonumber(string.match(stored, '^%d+')) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

/** Recent objects are read by gateways, written by executors, and belong to no sponsor's pool. */
const keyOf = (objectId: string) => `fc:recent-object:${objectId}`;

type WithScript = RedisConnection & {
  recordRecentObject(key: string, version: number, text: string, keptMs: number): Promise<number>;
};

/** What final effects made of objects within the last minute, for the whole fleet. */
export class RecentObjects {
  readonly #redis: WithScript;

  constructor(redis: RedisConnection) {
    redis.defineCommand('recordRecentObject', { numberOfKeys: 1, lua: RECORD });
    this.#redis = redis as WithScript;
  }

  /** Commands are sent before this returns: what is sent to the same Redis afterwards finds them done. */
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

  /** Those of them that are known, by id. */
  async read(objectIds: readonly string[]): Promise<ReadonlyMap<string, RecentObject>> {
    if (objectIds.length === 0) return new Map();
    const texts = await this.readTexts(objectIds.map(keyOf));
    const found = objectIds.flatMap((objectId, index) => {
      const object = readRecentObject(objectId, texts[index] ?? null);
      return object === null ? [] : [[objectId, object] as const];
    });
    return new Map(found);
  }

  /** A cluster's keys are in different slots. */
  private readTexts(keys: readonly string[]): Promise<(string | null)[]> {
    const redis = this.#redis;
    if (redis instanceof Cluster) return Promise.all(keys.map((key) => redis.get(key)));
    return redis.mget(...keys);
  }
}
