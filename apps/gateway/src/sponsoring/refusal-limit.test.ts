import { partial } from '@forecourt/testing/jest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig, redisVariables } from '@forecourt/runtime/config';
import { gatewayLimits } from '@forecourt/resilience';
import { openRedis, type RedisConnection } from '@forecourt/runtime/redis';
import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { RefusalLimit } from './refusal-limit.js';

const MOST = 3;

let server: RedisServer;
const connections: RedisConnection[] = [];
const aGateway = () => {
  const redis = openRedis(readConfig(redisVariables, { REDIS_URL: server.url }));
  redis.on('error', () => undefined);
  connections.push(redis);
  return new RefusalLimit(redis, partial({ maxRefusedExecutions: MOST }));
};
const beyond = expect.objectContaining({
  code: 'REFUSED_TOO_OFTEN',
  status: 429,
  message: "Too many of this token's transactions were rejected by the ledger; try again later",
  retryAfterSecs: expect.any(Number),
});

beforeAll(async () => {
  server = await startRedisServer({ appendfsync: 'no' });
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await server?.stop();
});

describe('the limit on transactions that the ledger refuses', () => {
  it('is shared by all gateways, and affects only the caller concerned', async () => {
    const [one, two] = [aGateway(), aGateway()];
    for (let refusal = 0; refusal < MOST; refusal++) {
      await (refusal % 2 === 0 ? one : two).count('mallory');
      expect(() => one.requireRoom('mallory')).not.toThrow();
    }
    await one.count('mallory');
    expect(() => one.requireRoom('mallory')).toThrow(beyond);
    expect(() => one.requireRoom('alice')).not.toThrow();
    // The other gateway learns it with the next refusal that it counts.
    expect(() => two.requireRoom('mallory')).not.toThrow();
    await two.count('mallory');
    expect(() => two.requireRoom('mallory')).toThrow(beyond);
  });

  it('is kept by each gateway alone while Redis is unreachable', async () => {
    const gateway = aGateway();
    await gateway.count('eve');
    connections.at(-1)!.disconnect();
    for (let refusal = 0; refusal <= MOST; refusal++) await gateway.count('eve');
    expect(() => gateway.requireRoom('eve')).toThrow(beyond);
  });
});

describe('the limit on failures of abstract accounts', () => {
  it('counts claims until they are excused', async () => {
    const gateway = aGateway();
    const most = gatewayLimits.failedAccounts.default;
    for (let count = 0; count < 2 * most; count++) {
      await gateway.suspect('app');
      await gateway.excuse('app');
    }
    for (let count = 0; count < most; count++) await gateway.suspect('app');
    await expect(gateway.suspect('app')).rejects.toMatchObject({
      code: 'REFUSED_TOO_OFTEN',
      status: 429,
    });
    await gateway.suspect('other');
  });
});
