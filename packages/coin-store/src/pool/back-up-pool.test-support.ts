import type { CoinStoreRedis } from '../scripts/run-script.js';

/**
 * Copies the pool's keys; returns what restores them, as a replica that lacks later writes or an older backup
 * has them.
 */
export async function backUpPool(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<() => Promise<void>> {
  const pattern = `fc:{${sponsor}}:*`;
  const names = await redis.keys(pattern);
  const dumps = await Promise.all(names.map((name) => redis.dumpBuffer(name)));
  return async () => {
    const now = await redis.keys(pattern);
    if (now.length > 0) await redis.del(...now);
    for (const [index, name] of names.entries()) await redis.restore(name, 0, dumps[index]!);
  };
}
