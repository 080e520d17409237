import type { Cluster } from 'ioredis';
import { type ConnectionOptions, openRedis } from './open-redis.js';
import { sentinelOptions } from './redis-options.js';
import type { RedisSettings } from './redis-settings.js';

/** In a cluster all keys of a queue must be in one slot. */
const ONE_SLOT_PREFIX = '{bull}';

/** BullMQ's options that lead to the Redis of the settings. */
export interface QueueOptions {
  readonly connection: Cluster | { readonly [option: string]: unknown };
  readonly prefix?: string;
}

export function queueOptions(
  settings: RedisSettings,
  options: Pick<ConnectionOptions, 'maxRetriesPerRequest'> = {},
): QueueOptions {
  switch (settings.redisMode) {
    case 'single':
      return { connection: { url: settings.redisUrls[0]!, ...options } };
    case 'sentinel':
      return { connection: { ...sentinelOptions(settings), ...options } };
    case 'cluster':
      return {
        connection: openRedis(settings, { maxRetriesPerRequest: null }) as Cluster,
        prefix: ONE_SLOT_PREFIX,
      };
  }
}
