import { describe, expect, it } from '@jest/globals';
import { prepareCoinStore } from '@forecourt/coin-store';
import { useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { BatchedSteps } from './batched-steps.js';
import { claimOnlyCoin, DIGEST } from './claim.test-support.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

describe('a step of an execution', () => {
  it('fails alone when its stored state is invalid: other steps of the same batch succeed', async () => {
    const { job, dependencies, coin } = await claimOnlyCoin(redis, {
      kind: 'unknown',
      message: '',
    });
    const { sponsor, reservationId, digest, fence } = job;
    const steps = new BatchedSteps(redis, 'one');
    const claim = { reservationId, digest, fence };
    const settlement = {
      reservationId,
      digest,
      outcome: 'executed',
      returned: [coin],
      gasCharged: 0n,
      cost: 0n,
      rules: dependencies.rules,
      retentionMs: 60_000,
    } as const;
    const key = `fc:{${sponsor}}:reservation:${reservationId}`;
    const stored = (await redis.get(key))!;
    await redis.set(key, stored.replace('default\t', ''));
    const other = { ...claim, reservationId: reservationId + 64 };
    const begun = [steps.begin(sponsor, claim), steps.begin(sponsor, other)];
    await expect(begun[0]).rejects.toBeInstanceOf(Error);
    expect(await begun[1]).toBeNull();

    await redis.set(key, stored);
    expect(await steps.begin(sponsor, claim)).toMatchObject({ txBytes: 'AAAA', resumed: false });
    const executing = (await redis.get(key))!;
    await redis.set(key, executing.replace('default\t', ''));
    const elsewhere = { ...settlement, digest: `${DIGEST}X` };
    const settled = [steps.settle(sponsor, settlement), steps.settle(sponsor, elsewhere)];
    await expect(settled[0]).rejects.toBeInstanceOf(Error);
    expect(await settled[1]).toEqual({ settled: false, waiters: [] });
    await redis.set(key, executing);
    expect(await steps.settle(sponsor, settlement)).toMatchObject({ settled: true });
  });
});
