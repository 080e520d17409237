import { describe, expect, it } from '@jest/globals';
import { beginExecutions } from '../executions/begin-executions.js';
import { claim, reserve, useTestStore } from '../pool.test-support.js';

const store = useTestStore();

describe('a failing transition among several in a call', () => {
  it('returns its reason, from Redis or an invalid stored state, and does not stop the others', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000, 700_000, 700_000);
    const claims = [];
    for (const digest of ['D1', 'D2', 'D3']) {
      const { reservationId } = await reserve(redis, sponsor);
      const fence = await claim(redis, sponsor, reservationId, digest);
      claims.push({ reservationId, digest, fence });
    }
    const [refused, invalid] = claims;
    const payload = `fc:{${sponsor}}:payload:${refused!.reservationId}`;
    await redis.del(payload);
    await redis.hset(payload, 'not', 'a text');
    const reservation = `fc:{${sponsor}}:reservation:${invalid!.reservationId}`;
    const stored = (await redis.get(reservation))!;
    await redis.set(reservation, stored.replace('default\t', ''));
    expect(await beginExecutions(redis, sponsor, 'ex-1', claims)).toMatchObject([
      { message: expect.stringContaining('WRONGTYPE') },
      { message: expect.stringContaining('attempt to concatenate') },
      { txBytes: 'AAAA', resumed: false },
    ]);
  });
});
