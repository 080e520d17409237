import type { RecentObject } from '@forecourt/ledger';
import { Cluster } from 'ioredis';
import { loadScript, type RedisConnection } from './redis/index.js';

/** Longer than the lag of any usable node. */
const KEPT_MS = 60_000;

/** Gateways read recent objects and executors write them; they belong to no sponsor's pool. */
const keyOf = (objectId: string) => `fc:recent-object:${objectId}`;

type WithScript = RedisConnection & {
  recordRecentObject(key: string, version: number, text: string, keptMs: number): Promise<number>;
};

/** Recent objects of the last minute, for the whole fleet. */
export class RecentObjects {
  readonly #redis: WithScript;

  constructor(redis: RedisConnection) {
    redis.defineCommand('recordRecentObject', {
      numberOfKeys: 1,
      lua: loadScript('record-recent-object'),
    });
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

/** `version digest owner`, the owner as JSON. */
const STORED = /^(\d{1,16}) (\S*) (.+)$/s;

export function writeRecentObject({ version, digest, owner }: RecentObject): string {
  return `${version} ${digest} ${JSON.stringify(owner)}`;
}

/** Null: absent, or in a format of another release. */
export function readRecentObject(objectId: string, text: string | null): RecentObject | null {
  const [, version, digest, owner] = STORED.exec(text ?? '') ?? [];
  if (version === undefined || digest === undefined || owner === undefined) return null;
  try {
    return { objectId, version: Number(version), digest, owner: JSON.parse(owner) as unknown };
  } catch {
    return null;
  }
}
