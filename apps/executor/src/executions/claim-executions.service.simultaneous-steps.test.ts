import { describe, expect, it } from '@jest/globals';
import { prepareCoinStore } from '@forecourt/coin-store';
import { useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { claimOnlyCoin, createServices, DIGEST } from './claim.test-support.js';
import { SubmissionTimes } from './submission-times.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

describe('a step of an execution', () => {
  it('fails alone when its stored state is invalid: other steps of the same batch succeed', async () => {
    const { job, parts, coin } = await claimOnlyCoin(redis, { kind: 'unknown', message: '' });
    const { executions, outcomes } = createServices(parts);
    const { sponsor, reservationId } = job;
    const ending = {
      outcome: 'executed',
      returned: [coin],
      gasCharged: 0n,
      gasUsed: null,
      answer: null,
    } as const;
    const key = `fc:{${sponsor}}:reservation:${reservationId}`;
    const stored = (await redis.get(key))!;
    await redis.set(key, stored.replace('default\t', ''));
    const other = { ...job, reservationId: reservationId + 64 };
    const begins = [executions.begin(job), executions.begin(other)];
    await expect(begins[0]).rejects.toBeInstanceOf(Error);
    expect(await begins[1]).toBeNull();

    await redis.set(key, stored);
    const begun = await executions.begin(job);
    expect(begun).toMatchObject({ txBytes: 'AAAA', resumed: false });
    const executing = (await redis.get(key))!;
    await redis.set(key, executing.replace('default\t', ''));
    const transaction = parts.ledger.decodeTransaction(Buffer.from(begun!.txBytes, 'base64'));
    const execution = { job, begun: begun!, transaction, submissions: new SubmissionTimes() };
    const elsewhere = { ...execution, job: { ...job, digest: `${DIGEST}X` } };
    const settled = [outcomes.end(execution, ending), outcomes.end(elsewhere, ending)];
    await expect(settled[0]).rejects.toBeInstanceOf(Error);
    expect(await settled[1]).toEqual({ settled: false, waiters: [], cost: 0n });
    await redis.set(key, executing);
    expect(await outcomes.end(execution, ending)).toMatchObject({ settled: true });
  });
});
