import { Cluster } from 'ioredis';
import type { RedisConnection } from './open-redis.js';

/** A further connection to the same Redis for subscriptions to channels; it subscribes again after an outage. */
export function openSubscriber(redis: RedisConnection): RedisConnection {
  const options = { maxRetriesPerRequest: null, commandTimeout: undefined };
  const subscriber =
    redis instanceof Cluster
      ? redis.duplicate([], { redisOptions: options })
      : redis.duplicate(options);
  // The original connection reports outages.
  subscriber.on('error', () => undefined);
  return subscriber;
}
