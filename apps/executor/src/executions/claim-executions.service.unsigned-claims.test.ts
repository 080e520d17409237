import { beginExecutions, prepareCoinStore, readPoolTotals } from '@forecourt/coin-store';
import { type Signer, SigningFailed, type Submission } from '@forecourt/ledger';
import { Signers } from '@forecourt/runtime/signers';
import { useRedis } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { claimOnlyCoin, execute, type Parts } from './claim.test-support.js';
import { retryDelayMs } from './outcome-pending.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));
const REFUSED: Submission = { kind: 'refused', message: 'the ledger refuses it' };
const OUTAGE = new SigningFailed('vault://v', 'unreachable', 'HTTP status 503', 2_500);

/** A claim whose sponsor's key does not sign until `recover` is called. */
async function unsignable() {
  const claim = await claimOnlyCoin(redis, REFUSED);
  const { signer, parts, job } = claim;
  let isOut = true;
  const failing: Signer = {
    address: signer.address,
    kinds: ['vault'],
    outageMs: null,
    inFlight: 0,
    check: () => signer.check(),
    signTransaction: (bytes) => (isOut ? Promise.reject(OUTAGE) : signer.signTransaction(bytes)),
  };
  const answers: unknown[] = [];
  let submissions = 0;
  const watched: Parts = {
    ...parts,
    signers: new Signers([failing]),
    ledger: {
      ...parts.ledger,
      submit: async () => {
        submissions += 1;
        return REFUSED;
      },
    },
    replies: {
      ...parts.replies,
      sendUnsigned: async (_job, waiters, secs) => void answers.push([waiters.length, secs]),
      sendRefusal: async (_job, _waiters, text) => void answers.push(text),
    },
  };
  return {
    job,
    answers,
    run: () => execute(watched, job),
    recover: () => {
      isOut = false;
    },
    submitted: () => submissions,
    coins: async () => (await readPoolTotals(redis, job.sponsor)).coins,
  };
}

describe('a claim that cannot be signed', () => {
  it('stays bound to its coins, answers its waiters, and submits nothing', async () => {
    const { run, answers, submitted, coins } = await unsignable();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await expect(run()).rejects.toBe(OUTAGE);
      expect(answers).toHaveLength(attempt);
      expect(answers.at(-1)).toEqual([1, 3]);
      expect(await coins()).toMatchObject({ claimed: 1n, executing: 0n, available: 0n });
    }
    expect(submitted()).toBe(0);
  });

  it('is executed as if it had never been begun once the key signs: a refusal ends it', async () => {
    const { run, recover, answers, submitted, coins } = await unsignable();
    await expect(run()).rejects.toBe(OUTAGE);
    recover();
    await run();
    expect(submitted()).toBe(1);
    expect(answers.at(-1)).toBe('the ledger refuses it');
    expect(await coins()).toMatchObject({ reserved: 1n, quarantined: 0n });
  });

  it('stays begun where another executor has begun it too, which may have submitted it', async () => {
    const { run, job, answers, coins } = await unsignable();
    await only(beginExecutions(redis, job.sponsor, 'another', [job]));
    await expect(run()).rejects.toBe(OUTAGE);
    expect(answers).toEqual([[1, 3]]);
    expect(await coins()).toMatchObject({ claimed: 0n, executing: 1n });
  });

  it('is tried again when the service may be asked, not together with the others', () => {
    const delays = Array.from({ length: 50 }, () => retryDelayMs(9, OUTAGE));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(2_500);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5_000);
    expect(new Set(delays).size).toBeGreaterThan(10);
  });
});
