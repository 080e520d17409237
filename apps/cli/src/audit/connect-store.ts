import { once } from 'node:events';
import { type CoinStoreRedis, prepareCoinStore } from '@forecourt/coin-store';
import { openRedis, type RedisSettings } from '@forecourt/runtime/redis';

/** Connects for one command. Throws `Error` at once, naming the address, when no Redis answers. */
export async function connectStore(settings: RedisSettings): Promise<CoinStoreRedis> {
  const redis = openRedis(settings, { lazyConnect: true, retryStrategy: null });
  let reason = 'no answer';
  redis.on('error', (error: Error) => (reason = error.message));
  try {
    // When the cluster is down, the connection ends without settling `connect`.
    const ended = once(redis, 'end').then(() => Promise.reject(new Error(reason)));
    await Promise.race([redis.connect(), ended]);
  } catch (cause) {
    const hosts = settings.redisUrls.map((url) => new URL(url).host).join(', ');
    throw new Error(
      `Redis is unreachable at ${hosts} (${reason}): start the system first, or name its Redis with REDIS_URL`,
      { cause },
    );
  }
  return prepareCoinStore(redis);
}
