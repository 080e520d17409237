import { type CoinStoreRedis, prepareCoinStore } from '@forecourt/coin-store';
import { Redis } from 'ioredis';

/** A connection for one look. Throws at once, saying where it looked, when no Redis answers. */
export async function connectStore(redisUrl: string): Promise<CoinStoreRedis> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: null });
  let reason = 'no answer';
  redis.on('error', (error) => (reason = error.message));
  try {
    await redis.connect();
  } catch (cause) {
    const { host } = new URL(redisUrl);
    throw new Error(
      `no Redis can be reached at ${host} (${reason}): start the system first, or name its Redis with REDIS_URL`,
      { cause },
    );
  }
  return prepareCoinStore(redis);
}
