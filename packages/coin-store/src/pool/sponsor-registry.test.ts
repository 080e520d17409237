import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { aCoin, randomAddress, reserve, rules, useTestStore } from '../pool.test-support.js';
import { adoptCoins } from './adopt-coins.js';
import { listSponsors, registerSponsor, sponsorIndexOf } from './sponsor-registry.js';

const store = useTestStore();

describe('the sponsor’s index in a reservation id', () => {
  it('is the one in the Redis that answers, which may have come back empty', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000);
    await reserve(redis, sponsor);
    await redis.flushall();
    redis.disconnect(true);
    await once(redis, 'ready');
    await registerSponsor(redis, randomAddress());
    await registerSponsor(redis, sponsor);
    await adoptCoins(redis, sponsor, [aCoin(700_000)], rules);
    const { reservationId } = await reserve(redis, sponsor);
    expect((await listSponsors(redis)).get(sponsorIndexOf(reservationId))).toBe(sponsor);
  });
});
