import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig, redisVariables } from '@forecourt/runtime/config';
import { freePort, type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { connectStore } from './connect-store.js';

const configOf = (url: string) => readConfig(redisVariables, { REDIS_URL: url });

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

describe('connecting for an audit', () => {
  it('connectStore returns a connection with the scripts', async () => {
    const redis = await connectStore(configOf(server.url));
    expect(await redis.ping()).toBe('PONG');
    redis.disconnect();
  });

  it('connectStore names the address where no Redis answers and what to do', async () => {
    const port = await freePort();
    await expect(connectStore(configOf(`redis://127.0.0.1:${port}`))).rejects.toThrow(
      new RegExp(`Redis is unreachable at 127\\.0\\.0\\.1:${port} .*REDIS_URL`),
    );
  });
});
