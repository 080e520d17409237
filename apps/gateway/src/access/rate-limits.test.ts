import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig, redisVariables } from '@forecourt/runtime/config';
import { openRedis, type RedisConnection } from '@forecourt/runtime/redis';
import { type RedisCluster, startRedisCluster } from '@forecourt/testing/redis';
import { RateLimits } from './rate-limits.js';

let cluster: RedisCluster;
const connections: RedisConnection[] = [];
const aGateway = async () => {
  const settings = { REDIS_URL: cluster.masters[0]!.url, REDIS_MODE: 'cluster' };
  const redis = openRedis(readConfig(redisVariables, settings));
  connections.push(redis);
  await redis.ping();
  return new RateLimits(redis);
};
const LIMIT = { requests: 5, windowMs: 60_000 };

beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await cluster?.stop();
});

describe('rate limits on a Redis Cluster', () => {
  it('are counted per caller, across all gateways', async () => {
    const [one, two] = [await aGateway(), await aGateway()];
    for (const name of ['shop', 'game', 'bank', 'zoo']) {
      for (let request = 0; request < 5; request++) {
        expect(await (request % 2 === 0 ? one : two).count(name, LIMIT)).toBeNull();
      }
      expect(await one.count(name, LIMIT)).toMatchObject({ code: 'RATE_LIMITED' });
    }
  });
});
