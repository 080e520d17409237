import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig, redisVariables } from '@forecourt/runtime/config';
import { openRedis, type RedisConnection } from '@forecourt/runtime/redis';
import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { AccountFailures, MAX_FAILED } from './account-failures.js';

let server: RedisServer;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startRedisServer({ appendfsync: 'no' });
  redis = openRedis(readConfig(redisVariables, { REDIS_URL: server.url }));
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

describe('the limit on failures of abstract accounts', () => {
  it('counts claims until they are excused', async () => {
    const gateway = new AccountFailures(redis);
    for (let count = 0; count < 2 * MAX_FAILED; count++) {
      await gateway.suspect('app');
      await gateway.excuse('app');
    }
    for (let count = 0; count < MAX_FAILED; count++) await gateway.suspect('app');
    await expect(gateway.suspect('app')).rejects.toMatchObject({
      code: 'REFUSED_TOO_OFTEN',
      status: 429,
    });
    await gateway.suspect('other');
  });
});
