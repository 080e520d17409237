import { readFileSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { ConfigOf, redisVariables } from '../config/index.js';
import { ClusterWithTimeout } from './cluster-with-timeout.js';
import { ReconnectingRedis } from './reconnecting-redis.js';
import { writeTogether } from './write-together.js';

/** Address and kind of Redis. */
export type RedisSettings = ConfigOf<typeof redisVariables>;

/**
 * Milliseconds before the given attempt to reconnect, counted from 1: at most a second, so that a service
 * recovers together with Redis. BullMQ's own rule waits for up to 20 s.
 */
function reconnectDelay(attempt: number): number {
  return Math.min(50 * attempt, 1_000);
}

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

/**
 * Opens a connection to the configured server, cluster or sentinels' master. Reconnects after
 * `reconnectDelay`.
 */
export function openRedis(
  settings: RedisSettings,
  connectionOptions: ConnectionOptions = {},
): RedisConnection {
  const options = { retryStrategy: reconnectDelay, ...connectionOptions };
  switch (settings.redisMode) {
    case 'single':
      return writeTogether(new Redis(settings.redisUrls[0]!, options));
    case 'sentinel':
      return writeTogether(new ReconnectingRedis({ ...sentinelOptions(settings), ...options }));
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

const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26379;

/** Hosts and ports of a cluster's nodes. */
function clusterNodes({ redisUrls }: RedisSettings): { host: string; port: number }[] {
  return redisUrls.map((text) => address(new URL(text), DEFAULT_PORT));
}

/** The parts of the URLs besides the address: user, password, TLS. */
function accessOptions({
  redisUrls,
}: RedisSettings): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { protocol, username, password } = new URL(redisUrls[0]!);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

/** Options for finding the master through the sentinels. */
export function sentinelOptions(settings: RedisSettings): RedisOptions {
  const { redisUrls, redisSentinelMaster, redisSentinelPassword } = settings;
  const access = accessOptions(settings);
  const database = Number(new URL(redisUrls[0]!).pathname.slice(1));
  return {
    ...access,
    ...(database > 0 && { db: database }),
    name: redisSentinelMaster,
    sentinels: redisUrls.map((text) => address(new URL(text), DEFAULT_SENTINEL_PORT)),
    ...(redisSentinelPassword !== null && { sentinelPassword: redisSentinelPassword }),
    ...(access.tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    // Abandons a master that hangs without closing its connections as soon as the sentinels name another.
    failoverDetector: true,
    // A master that has become a replica refuses writes; the sentinels know its successor.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
}

function address({ hostname, port }: URL, defaultPort: number): { host: string; port: number } {
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
  };
}

/**
 * A further connection to the same Redis for subscriptions to channels, and for reads that wait; it
 * subscribes again after an outage.
 */
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

/**
 * The servers that hold the data: every master of a cluster, otherwise the one server. Throws when a cluster
 * does not answer.
 */
export async function listMasters(redis: RedisConnection): Promise<readonly Redis[]> {
  if (!(redis instanceof Cluster)) return [redis];
  // The client knows its nodes after the first answered command.
  await redis.ping();
  return redis.nodes('master');
}

/** The text of a script of this package, for `defineCommand`. */
export function loadScript(name: string): string {
  return readFileSync(new URL(`../../lua/${name}.lua`, import.meta.url), 'utf8');
}

/** In a cluster all keys of a queue must be in one slot. */
const ONE_SLOT_PREFIX = '{bull}';
/**
 * A command sent during a change of the cluster may never be answered, and a worker does nothing else while
 * it waits. Longer than BullMQ's longest wait for a job, 10 s.
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
