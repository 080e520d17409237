import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RedisServer, startRedisServer } from '@forecourt/redis-server';
import { Redis } from 'ioredis';
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

describe('looking at a Redis', () => {
  it('finds nothing to say of a durable one', async () => {
    expect(await inspectRedis(redis)).toMatchObject({
      ...{ appendOnly: true, appendFsync: 'always', maxMemoryPolicy: 'noeviction', warnings: [] },
    });
  });

  it('says what each weaker setting may lose', async () => {
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
});
