import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { prepareCoinStore, registerSponsor } from '@forecourt/coin-store';
import { useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { RegisteredSponsors } from './registered-sponsors.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

describe('the registered sponsors', () => {
  it('are read again from a Redis that may have come back empty', async () => {
    const registered = new RegisteredSponsors(redis);
    await registerSponsor(redis, '0x1');
    expect(await registered.sponsorOf(64)).toBe('0x1');
    await redis.flushall();
    redis.disconnect(true);
    await once(redis, 'ready');
    await registerSponsor(redis, '0x2');
    expect(await registered.sponsorOf(64)).toBe('0x2');
  });
});
