import { type RedisServer, startRedisCluster, startRedisServer } from '@forecourt/testing/redis';
import { waitUntil } from '@forecourt/testing/system';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { inspectRedis } from './inspect-redis.js';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedisServer();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

describe('inspectRedis', () => {
  it('returns no warnings for a durable Redis', async () => {
    expect(await inspectRedis(redis)).toMatchObject({
      appendOnly: true,
      appendFsync: 'always',
      maxMemoryPolicy: 'noeviction',
      warnings: [],
    });
  });

  it('returns the possible loss of each weaker setting', async () => {
    await redis.config('SET', 'appendfsync', 'everysec');
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { warnings } = await inspectRedis(redis);
    expect(warnings).toEqual([
      expect.stringContaining('noeviction'),
      expect.stringContaining('last second'),
    ]);
    await redis.config('SET', 'appendonly', 'no');
    expect((await inspectRedis(redis)).warnings[1]).toContain('appendonly is off');
  });

  it('tells a server that was a replica in between, which keeps its run id, from the one before', async () => {
    const other = await startRedisServer();
    const before = await inspectRedis(redis);
    expect(before.promotedFrom).toBe('');
    await redis.replicaof('127.0.0.1', other.port);
    await waitUntil(async () => (await redis.info('replication')).includes('link_status:up'));
    await redis.replicaof('NO', 'ONE');
    const after = await inspectRedis(redis);
    expect(after).toMatchObject({ runId: before.runId, mayForget: true });
    expect(after.promotedFrom).toMatch(/^[0-9a-f]{40}$/);
    await other.stop();
  });

  it('reads what it can where CONFIG is forbidden, as by managed services', async () => {
    await redis.config('SET', 'appendonly', 'no');
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await redis.call('ACL', 'SETUSER', 'managed', 'on', 'nopass', '~*', '+@all', '-config');
    const managed = new Redis(server.url, { username: 'managed', password: 'any' });
    try {
      const weak = await inspectRedis(managed);
      expect(weak).toMatchObject({ appendOnly: false, maxMemoryPolicy: 'allkeys-lru' });
      expect(weak.warnings).toHaveLength(2);
      await redis.config('SET', 'appendonly', 'yes');
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      const { warnings } = await inspectRedis(managed);
      expect(warnings).toEqual([expect.stringContaining('does not disclose appendfsync')]);
    } finally {
      managed.disconnect();
    }
  });

  it('reports the weakest of a cluster’s masters', async () => {
    const cluster = await startRedisCluster();
    const nodes = new Cluster([{ host: '127.0.0.1', port: cluster.masters[0]!.port }]);
    try {
      await nodes.ping();
      for (const master of nodes.nodes('master'))
        await master.config('SET', 'appendfsync', 'always');
      expect(await inspectRedis(nodes)).toMatchObject({ appendFsync: 'always', warnings: [] });
      await nodes.nodes('master')[2]!.config('SET', 'appendonly', 'no');
      const found = await inspectRedis(nodes);
      expect(found).toMatchObject({ appendOnly: false });
      expect(found.runId.split(',')).toHaveLength(3);
    } finally {
      nodes.disconnect();
      await cluster.stop();
    }
  });
});
