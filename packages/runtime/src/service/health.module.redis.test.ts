import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { redisIndicator } from './health.module.js';

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

describe('the check of Redis', () => {
  it('succeeds where Redis takes writes, and leaves nothing there', async () => {
    await redisIndicator(redis).check();
    expect(await redis.dbsize()).toBe(0);
  });

  it.each([
    ['memory is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    [
      'too few replicas confirm writes',
      ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
      ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
    ],
    ['it is a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ])('fails where Redis answers and refuses writes: %s', async (_what, begin, end) => {
    const [beginning, ...parts] = begin as [string, ...string[]];
    await redis.call(beginning, ...parts);
    try {
      expect(await redis.ping()).toBe('PONG');
      await expect(redisIndicator(redis).check()).rejects.toThrow(/OOM|NOREPLICAS|READONLY/);
    } finally {
      const [ending, ...others] = end as [string, ...string[]];
      await redis.call(ending, ...others);
    }
    await redisIndicator(redis).check();
  });
});
