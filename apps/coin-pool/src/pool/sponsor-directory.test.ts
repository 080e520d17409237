import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { prepareCoinStore, registerSponsor } from '@forecourt/coin-store';
import { Signers } from '@forecourt/runtime/signers';
import { useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { SponsorDirectory } from './sponsor-directory.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

describe('the directory of sponsors', () => {
  it('is read again from a Redis that may have come back empty', async () => {
    const directory = new SponsorDirectory(redis, new Signers([]), { withdrawAddresses: [] });
    await registerSponsor(redis, '0x1');
    expect(await directory.sponsorOf(64)).toBe('0x1');
    await redis.flushall();
    redis.disconnect(true);
    await once(redis, 'ready');
    await registerSponsor(redis, '0x2');
    expect(await directory.sponsorOf(64)).toBe('0x2');
  });
});
