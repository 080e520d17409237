import { readConfig, redisVariables } from '@forecourt/runtime/config';
import { startRedisCluster, startRedisServer } from '@forecourt/testing/redis';
import { openRedis } from '@forecourt/runtime/redis';
import { describe, expect, it, jest } from '@jest/globals';
import { forgetPool } from './forget-pool.js';

jest.setTimeout(60_000);

async function forgetsOneOfTwo(environment: Record<string, string>): Promise<void> {
  const settings = readConfig(redisVariables, environment);
  const redis = openRedis(settings);
  const keysOf = (sponsor: string) => [`fc:{${sponsor}}:coins`, `fc:{${sponsor}}:totals`];
  try {
    for (const key of [...keysOf('0xa'), ...keysOf('0xb')]) await redis.set(key, 'value');
    expect(await forgetPool(settings, '0xa')).toBe(2);
    expect(await redis.exists(...keysOf('0xa'))).toBe(0);
    expect(await redis.exists(...keysOf('0xb'))).toBe(2);
  } finally {
    redis.disconnect();
  }
}

describe('forgetting the pool of a ledger that is gone', () => {
  it('leaves the others of the server', async () => {
    const server = await startRedisServer();
    await forgetsOneOfTwo({ REDIS_URL: server.url }).finally(() => server.stop());
  });

  it('finds it on whichever master of a cluster', async () => {
    const cluster = await startRedisCluster();
    const { url } = cluster.masters[0]!;
    await forgetsOneOfTwo({ REDIS_URL: url, REDIS_MODE: 'cluster' }).finally(() => cluster.stop());
  });
});
