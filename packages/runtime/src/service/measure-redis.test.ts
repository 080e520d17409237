import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Metrics } from '../metrics/index.js';
import { measureRedis } from './measure-redis.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

describe('measuring Redis', () => {
  it('redis_up tells whether Redis is reachable, and redis_errors_total counts failed commands but no unknown scripts', async () => {
    const metrics = new Metrics();
    const redis = new Redis(server.url);
    redis.defineCommand('once', { numberOfKeys: 0, lua: 'return 1' });
    measureRedis(redis, metrics);
    await (redis as unknown as { once(): Promise<number> }).once();
    await expect(redis.call('NO-SUCH-COMMAND')).rejects.toThrow();
    const up = (await metrics.expose()).text;
    expect(up).toContain('forecourt_redis_up 1');
    expect(up).toContain('forecourt_redis_errors_total{kind="command"} 1');
    redis.disconnect();
    await new Promise((resolve) => redis.once('end', resolve));
    expect((await metrics.expose()).text).toContain('forecourt_redis_up 0');
  });
});
