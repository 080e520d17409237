import { describe, expect, it } from '@jest/globals';
import { beginExecution } from './begun-executions.js';
import { claim, reserve, useTestStore } from '../pool.test-support.js';
import { listInFlight } from '../reservations/in-flight.js';

const store = useTestStore();

describe('an execution that is resumed', () => {
  it('is no longer overdue, so that the sweep leaves it to its executor', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000);
    const { reservationId } = await reserve(redis, sponsor);
    const digest = 'D1';
    const fence = await claim(redis, sponsor, reservationId, digest);
    const job = { reservationId, digest, fence };
    await beginExecution(redis, sponsor, { ...job, executor: 'ex-1' });
    const [member] = await redis.zrange(`fc:{${sponsor}}:executing`, '0', '0');
    await redis.zadd(`fc:{${sponsor}}:executing`, 1, String(member));
    const overdue = { state: 'executing', olderThanMs: 30_000, limit: 10 } as const;
    expect(await listInFlight(redis, sponsor, overdue)).toHaveLength(1);
    await beginExecution(redis, sponsor, { ...job, executor: 'ex-2' });
    expect(await listInFlight(redis, sponsor, overdue)).toEqual([]);
  });
});
