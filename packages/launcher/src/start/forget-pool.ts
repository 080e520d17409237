import { Redis } from 'ioredis';

/**
 * Removes a sponsor's pool from a Redis that outlives the devnet it was filled on: that ledger is gone, so the coins in
 * the pool exist nowhere. Only keys tagged with the sponsor's address are touched.
 */
export async function forgetPool(redisUrl: string, sponsor: string): Promise<number> {
  const redis = new Redis(redisUrl);
  let removed = 0;
  try {
    for await (const keys of redis.scanStream({ match: `*{${sponsor}}*`, count: 1_000 })) {
      if ((keys as string[]).length > 0) removed += await redis.unlink(keys as string[]);
    }
    return removed;
  } finally {
    redis.disconnect();
  }
}
