import type { RedisOptions } from 'ioredis';
import type { RedisSettings } from './redis-settings.js';

const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26379;

/** Hosts and ports of a cluster's nodes. */
export function clusterNodes({ redisUrls }: RedisSettings): { host: string; port: number }[] {
  return redisUrls.map((text) => address(new URL(text), DEFAULT_PORT));
}

/** The parts of the URLs besides the address: user, password, TLS. */
export function accessOptions({
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
