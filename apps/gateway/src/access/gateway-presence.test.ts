import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAYS_KEY } from '@forecourt/contracts';
import { createLogger } from '@forecourt/runtime/service';
import { useRedis } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { GatewayPresence } from './gateway-presence.js';

const redis = useRedis((url) => new Redis(url));
const logger = createLogger('test', 'fatal');

const started: GatewayPresence[] = [];
afterEach(async () => {
  for (const presence of started.splice(0)) await presence.onApplicationShutdown();
  await redis.flushall();
});

async function aGateway(name: string): Promise<GatewayPresence> {
  const presence = new GatewayPresence(redis, logger);
  Object.assign(presence, { name });
  await presence.onApplicationBootstrap();
  started.push(presence);
  return presence;
}

describe('the gateways of a fleet', () => {
  it('are those with a recent announcement that have not stopped', async () => {
    const [one, two] = [await aGateway('one'), await aGateway('two')];
    const [seconds] = await redis.time();
    const ago = (secs: number) => (Number(seconds) - secs) * 1_000;
    await redis.zadd(GATEWAYS_KEY, ago(60), 'gone', ago(5), 'late');
    expect((await one.everyone()).toSorted()).toEqual(['late', 'one', 'two']);
    await two.onApplicationShutdown();
    expect((await one.everyone()).toSorted()).toEqual(['late', 'one']);
    const again = await aGateway('again');
    expect(await redis.zscore(GATEWAYS_KEY, 'gone')).toBeNull();
    expect(await again.everyone()).toContain('again');
    await waitUntil(async () => (await redis.zscore(GATEWAYS_KEY, 'one')) !== null);
  });
});
