import { readConfig, redisVariables } from '@forecourt/runtime/config';
import { startRedisCluster, startRedisServer } from '@forecourt/testing/redis';
import { openRedis } from '@forecourt/runtime/redis';
import { describe, expect, it } from '@jest/globals';
import { removePool } from './prepare-redis.js';

async function removesOneOfTwo(environment: Record<string, string>): Promise<void> {
  const settings = readConfig(redisVariables, environment);
  const redis = openRedis(settings);
  const keysOf = (sponsor: string) => [`fc:{${sponsor}}:coins`, `fc:{${sponsor}}:totals`];
  try {
    for (const key of [...keysOf('0xa'), ...keysOf('0xb')]) await redis.set(key, 'value');
    expect(await removePool(settings, '0xa')).toBe(2);
    expect(await redis.exists(...keysOf('0xa'))).toBe(0);
    expect(await redis.exists(...keysOf('0xb'))).toBe(2);
  } finally {
    redis.disconnect();
  }
}

describe('removing the pool of a ledger that no longer exists', () => {
  it('keeps the other pools of the server', async () => {
    const server = await startRedisServer();
    await removesOneOfTwo({ REDIS_URL: server.url }).finally(() => server.stop());
  });

  it('finds the pool on any master of a cluster', async () => {
    const cluster = await startRedisCluster();
    const { url } = cluster.masters[0]!;
    await removesOneOfTwo({ REDIS_URL: url, REDIS_MODE: 'cluster' }).finally(() => cluster.stop());
  });
});
