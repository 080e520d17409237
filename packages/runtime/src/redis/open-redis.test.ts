import { once } from 'node:events';
import {
  type RedisCluster,
  type RedisSentinels,
  startRedisCluster,
  startRedisSentinels,
} from '@forecourt/testing/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import {
  listMasters,
  openRedis,
  openSubscriber,
  queueOptions,
  type RedisConnection,
  type RedisSettings,
  sentinelOptions,
} from './open-redis.js';

const settingsOf = (
  redisMode: RedisSettings['redisMode'],
  redisUrls: readonly string[],
  redisSentinelPassword: string | null = null,
): RedisSettings => ({
  redisMode,
  redisUrls,
  redisSentinelPassword,
  redisSentinelMaster: 'mymaster',
});

interface ConnectionPool {
  findOrCreate(node: { host: string; port: number }): void;
}

const open: RedisConnection[] = [];
const opened = <T extends RedisConnection>(redis: T): T => {
  open.push(redis);
  redis.on('error', () => undefined);
  return redis;
};
let cluster: RedisCluster;
let sentinels: RedisSentinels;
beforeAll(async () => {
  [cluster, sentinels] = await Promise.all([startRedisCluster(), startRedisSentinels()]);
});
afterAll(async () => {
  for (const redis of open) redis.disconnect();
  await Promise.all([cluster?.stop(), sentinels?.stop()]);
});

describe('a Redis connection to a cluster', () => {
  const settings = () => settingsOf('cluster', [cluster.masters[1]!.url]);

  it('finds all masters from one node, and keys on each', async () => {
    const redis = opened(openRedis(settings()));
    const masters = await listMasters(redis);
    expect(masters).toHaveLength(3);
    for (let key = 0; key < 30; key++) await redis.set(`key:${key}`, 'value');
    for (const master of masters) expect(await master.dbsize()).toBeGreaterThan(0);
  });

  it('delivers a message published on any node to a subscriber', async () => {
    const redis = opened(openRedis(settings(), { commandTimeout: 5_000 }));
    const subscriber = opened(openSubscriber(redis));
    await subscriber.subscribe('news');
    const heard = once(subscriber, 'message');
    await redis.publish('news', 'hello');
    expect(await heard).toEqual(['news', 'hello']);
  });

  it('fails within the time limit when no node is reachable', async () => {
    const nobody = settingsOf('cluster', ['redis://127.0.0.1:1']);
    const redis = opened(openRedis(nobody, { commandTimeout: 300, retryStrategy: () => 50 }));
    await expect(redis.get('key')).rejects.toThrow('Command timed out');
  });

  it('opens once a cluster recovers, and so does its duplicate', async () => {
    const redis = opened(openRedis(settings(), { lazyConnect: true }) as Cluster);
    const copy = opened(redis.duplicate());
    const masters = cluster.masters.map(({ url }) => opened(new Redis(url)));
    const stateOf = async (master: Redis) =>
      /cluster_state:(\w+)/.exec(await master.cluster('INFO'))![1];
    for (const master of masters) await master.cluster('DELSLOTS', 0);
    const connecting = Promise.all([redis.connect(), copy.connect()]);
    await Promise.all([redis, copy].map((one) => once(one, 'reconnecting')));
    for (const master of masters) expect(await stateOf(master)).toBe('fail');
    await masters[0]!.cluster('ADDSLOTS', 0);
    await connecting;
    expect([redis.status, copy.status]).toEqual(['ready', 'ready']);
  });

  it('ends when a redirect arrives during a disconnect, and can be opened again', async () => {
    const redis = opened(openRedis(settings()) as Cluster);
    await once(redis, 'ready');
    const { host, port } = redis.nodes()[0]!.options;
    const ended = new Promise((resolve) => redis.once('end', resolve));
    redis.disconnect();
    // Like a redirect.
    const { connectionPool } = redis as unknown as { connectionPool: ConnectionPool };
    connectionPool.findOrCreate({ host: host!, port: port! });
    await ended;
    await redis.connect();
    expect(await redis.ping()).toBe('PONG');
  });

  it('ends when it is disconnected before it has found a node again', async () => {
    const nobody = settingsOf('cluster', ['redis://127.0.0.1:1']);
    const redis = opened(openRedis(nobody, { retryStrategy: () => 60_000 }) as Cluster);
    await new Promise((resolve) => redis.once('reconnecting', resolve));
    const ended = new Promise((resolve) => redis.once('end', resolve));
    redis.disconnect();
    await ended;
  });

  it('keeps all keys of a queue in one slot', async () => {
    const { connection, prefix } = queueOptions(settings());
    expect(connection).toBeInstanceOf(Cluster);
    const redis = opened(connection as Cluster);
    const slotOf = (key: string) => redis.cluster('KEYSLOT', `${prefix}:queue:${key}`);
    expect(await slotOf('wait')).toBe(await slotOf('active'));
  });
});

describe('a Redis connection through sentinels', () => {
  it('reaches the master, also for a queue', async () => {
    const settings = settingsOf('sentinel', sentinels.urls);
    const redis = opened(openRedis(settings));
    expect((await redis.role())[0]).toBe('master');
    expect(await listMasters(redis)).toEqual([redis]);
    const { connection } = queueOptions(settings, { maxRetriesPerRequest: 1 });
    expect(opened(connection as Redis).options).toMatchObject({
      name: 'mymaster',
      maxRetriesPerRequest: 1,
    });
  });

  it('reconnects when a new master is named while it is being opened, and so does its duplicate', async () => {
    const redis = opened(openRedis(settingsOf('sentinel', sentinels.urls)) as Redis);
    for (const one of [redis, opened(redis.duplicate())]) {
      await one.ping();
      // Not `once`: an `error` event would end it as well.
      const next = (event: string) => new Promise((resolve) => one.once(event, resolve));
      const given = next('end');
      one.disconnect(true);
      await next('connecting');
      // Like the detector of failovers in ioredis.
      (one as unknown as { connector: { disconnect(): void } }).connector.disconnect();
      await given;
      await next('ready');
      expect(await one.ping()).toBe('PONG');
      one.disconnect();
      await next('end');
    }
  });

  it('uses user, password, database and TLS of the URLs for Redis, not for the sentinels', () => {
    const urls = ['rediss://u:p%2Cw@one/3', 'rediss://u:p%2Cw@two:7000/3'];
    expect(sentinelOptions(settingsOf('sentinel', urls, 'other'))).toMatchObject({
      username: 'u',
      password: 'p,w',
      db: 3,
      tls: {},
      sentinelTLS: {},
      sentinelPassword: 'other',
      enableTLSForSentinelMode: true,
      sentinels: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 7000 },
      ],
    });
  });
});

describe('a Redis connection to one server', () => {
  it('opens with an unchanged URL, for queues too', async () => {
    const settings = settingsOf('single', [sentinels.master.url]);
    const redis = opened(openRedis(settings));
    expect(await redis.ping()).toBe('PONG');
    expect(queueOptions(settings, { maxRetriesPerRequest: null })).toMatchObject({
      connection: { url: sentinels.master.url, maxRetriesPerRequest: null },
    });
  });
});

describe('a Redis connection of any kind', () => {
  it('retries within a second, for queues too', () => {
    const [single, byName] = [
      settingsOf('single', [sentinels.master.url]),
      settingsOf('sentinel', sentinels.urls),
    ];
    const { connection: ofQueue } = queueOptions(byName);
    const options = [
      opened(openRedis(single) as Redis).options,
      opened(openRedis(byName) as Redis).options,
      opened(ofQueue as Redis).options,
      queueOptions(single).connection as RedisOptions,
    ];
    for (const { retryStrategy } of options) expect(retryStrategy!(1_000)).toBe(1_000);
  });
});
