import type { ConfigOf } from './read-config.js';
import { variable } from './variable.js';

/** Variables of the connection to Redis. Spread into the table of every service that needs it. */
export const redisVariables = {
  redisUrls: variable.urls('REDIS_URL', {
    default: 'redis://127.0.0.1:6379',
    protocols: ['redis:', 'rediss:'],
    secret: true,
    description:
      'The Redis with coins, reservations and the queue; for a cluster some of its nodes, with Sentinels the Sentinels',
  }),
  redisMode: variable.choice('REDIS_MODE', {
    values: ['single', 'cluster', 'sentinel'],
    default: 'single',
    description: 'Kind of the servers in `REDIS_URL`: one server, a Redis Cluster, or Sentinels',
  }),
  redisSentinelMaster: variable.text('REDIS_SENTINEL_MASTER', {
    default: 'mymaster',
    description: 'Name of the master for the Sentinels',
  }),
  redisSentinelPassword: variable.optionalSecret('SENTINEL_PASSWORD', {
    description:
      'Password of the Sentinels themselves; user and password in `REDIS_URL` are for Redis',
  }),
};

/** Problems between the values; empty when there are none. */
export function checkRedis({ redisUrls, redisMode }: ConfigOf<typeof redisVariables>): string[] {
  const [first, ...others] = redisUrls.map((text) => new URL(text));
  const problems: string[] = [];
  if (redisMode === 'single' && others.length > 0) {
    problems.push('REDIS_URL names several servers: set REDIS_MODE to cluster or sentinel');
  }
  if (redisMode === 'cluster' && /^\/[1-9]/.test(first!.pathname)) {
    problems.push('REDIS_URL names a database, but a cluster has only one');
  }
  const access = (url: URL) =>
    [url.protocol, url.username, url.password, url.pathname.replace(/^\/$/, ''), url.search].join(
      ' ',
    );
  if (others.some((other) => access(other) !== access(first!))) {
    problems.push(
      'REDIS_URL names URLs that differ in more than host and port: use the same protocol, user, password and database',
    );
  }
  return problems;
}
