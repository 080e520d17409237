import {
  type ConnectionOptions,
  openRedis,
  reconnectDelay,
  type RedisConnection,
  type RedisSettings,
} from './open-redis.js';

/** In a cluster all keys of a queue must be in one slot. */
const ONE_SLOT_PREFIX = '{bull}';
/**
 * A command sent during a change of the cluster may never be answered, and a worker does nothing else while it
 * waits. Longer than BullMQ's longest wait for a job, 10 s.
 */
const COMMAND_TIMEOUT_MS = 15_000;

/** BullMQ's options for the Redis of the settings. */
export interface QueueOptions {
  readonly connection: RedisConnection | { readonly [option: string]: unknown };
  readonly prefix?: string;
}

export function queueOptions(
  settings: RedisSettings,
  options: Pick<ConnectionOptions, 'maxRetriesPerRequest'> = {},
): QueueOptions {
  switch (settings.redisMode) {
    case 'single':
      return {
        connection: { url: settings.redisUrls[0]!, retryStrategy: reconnectDelay, ...options },
      };
    case 'sentinel':
      return { connection: openRedis(settings, options) };
    case 'cluster':
      return {
        connection: openRedis(settings, {
          maxRetriesPerRequest: null,
          commandTimeout: COMMAND_TIMEOUT_MS,
        }),
        prefix: ONE_SLOT_PREFIX,
      };
  }
}
