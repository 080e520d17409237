import { type Cluster, Redis, type RedisOptions } from 'ioredis';
import { ReconnectingRedis } from './reconnecting-redis.js';
import { ClusterWithTimeout } from './cluster-with-timeout.js';
import { reconnectDelay } from './reconnect-delay.js';
import { accessOptions, clusterNodes, sentinelOptions } from './redis-options.js';
import type { RedisSettings } from './redis-settings.js';

export type RedisConnection = Redis | Cluster;

/** Behaviour of a connection to any kind of Redis. */
export type ConnectionOptions = Pick<
  RedisOptions,
  | 'autoResendUnfulfilledCommands'
  | 'commandTimeout'
  | 'connectTimeout'
  | 'lazyConnect'
  | 'maxRetriesPerRequest'
  | 'retryStrategy'
>;

/** Opens a connection to the configured server, cluster or sentinels' master. Reconnects after `reconnectDelay`. */
export function openRedis(settings: RedisSettings, given: ConnectionOptions = {}): RedisConnection {
  const options = { retryStrategy: reconnectDelay, ...given };
  switch (settings.redisMode) {
    case 'single':
      return new Redis(settings.redisUrls[0]!, options);
    case 'sentinel':
      return new ReconnectingRedis({ ...sentinelOptions(settings), ...options });
    case 'cluster':
      return openCluster(settings, options);
  }
}

function openCluster(
  settings: RedisSettings,
  { retryStrategy, lazyConnect, ...options }: ConnectionOptions,
): Cluster {
  return new ClusterWithTimeout(clusterNodes(settings), {
    ...(lazyConnect !== undefined && { lazyConnect }),
    ...(retryStrategy !== undefined && { clusterRetryStrategy: retryStrategy }),
    // A command that was lost on its way to a node is repeated only where the caller allows it.
    ...(options.autoResendUnfulfilledCommands === false && { retryDelayOnFailover: 0 }),
    redisOptions: { ...accessOptions(settings), ...options },
  });
}
