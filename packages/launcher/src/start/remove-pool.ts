import { listMasters, openRedis, type RedisSettings } from '@forecourt/runtime/redis';

/**
 * Removes a sponsor's pool from a Redis that outlives the devnet on which the pool was filled: its coins no longer exist.
 * Touches only keys tagged with the sponsor's address, and returns how many it has removed.
 */
export async function removePool(settings: RedisSettings, sponsor: string): Promise<number> {
  const redis = openRedis(settings);
  let removed = 0;
  try {
    for (const master of await listMasters(redis)) {
      for await (const keys of master.scanStream({ match: `*{${sponsor}}*`, count: 1_000 })) {
        if ((keys as string[]).length > 0) removed += await redis.unlink(keys as string[]);
      }
    }
    return removed;
  } finally {
    redis.disconnect();
  }
}
