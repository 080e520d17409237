import { Cluster } from 'ioredis';
import type { RedisConnection } from './open-redis.js';

/** A connection of its own to the same Redis that only listens to channels; it subscribes again after an outage. */
export function openSubscriber(redis: RedisConnection): RedisConnection {
  const options = { maxRetriesPerRequest: null, commandTimeout: undefined };
  const subscriber =
    redis instanceof Cluster
      ? redis.duplicate([], { redisOptions: options })
      : redis.duplicate(options);
  // The connection that it was made of tells of outages.
  subscriber.on('error', () => undefined);
  return subscriber;
}
