import {
  excludeExecution,
  prepareCoinStore,
  quarantineExecution,
  readPoolTotals,
} from '@forecourt/coin-store';
import type { Signer, Submission } from '@forecourt/ledger';
import { Signers } from '@forecourt/runtime/signers';
import { useRedis } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { claimOnlyCoin, DIGEST, effectsOf, execute, type Parts } from './claim.test-support.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));
const SUBMIT_WITHIN_MS = 100;
const UNKNOWN: Submission = { kind: 'unknown', message: 'no answer' };

/**
 * A claim whose executor waits for a signature, and another executor with the same key that does not wait.
 */
async function signedLate(answer: () => Submission) {
  const { job, parts, signer, coin } = await claimOnlyCoin(redis, UNKNOWN);
  const signing = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const submittedBy: string[] = [];
  const inExecutor = (name: string, signTransaction: Signer['signTransaction']): Parts => ({
    ...parts,
    executor: name,
    settings: { ...parts.settings, submitWithinMs: SUBMIT_WITHIN_MS },
    signers: new Signers([
      {
        address: signer.address,
        kinds: ['vault'],
        outageMs: null,
        inFlight: 0,
        check: async () => undefined,
        signTransaction,
      },
    ]),
    ledger: {
      ...parts.ledger,
      submit: async () => {
        submittedBy.push(name);
        return answer();
      },
    },
  });
  const slow = inExecutor('slow', async (bytes) => {
    signing.resolve();
    await release.promise;
    return signer.signTransaction(bytes);
  });
  const prompt = inExecutor('prompt', (bytes) => signer.signTransaction(bytes));
  const since = performance.now();
  const execution = execute(slow, job);
  await signing.promise;
  return {
    job,
    coin,
    submittedBy,
    takeOver: () => execute(prompt, job),
    /** The signature arrives when the answer of Redis about the claim is old. */
    sign: async () => {
      await waitUntil(async () => performance.now() > since + SUBMIT_WITHIN_MS);
      release.resolve();
      await execution;
    },
    coins: async () => (await readPoolTotals(redis, job.sponsor)).coins,
  };
}

describe('a signature that arrives late', () => {
  it('is not submitted when another executor has taken over and executed the claim', async () => {
    let effects: Submission = UNKNOWN;
    const late = await signedLate(() => effects);
    effects = { kind: 'executed', effects: effectsOf(DIGEST, late.coin, late.job.sponsor) };
    await late.takeOver();
    await late.sign();
    expect(late.submittedBy).toEqual(['prompt']);
    expect(await late.coins()).toMatchObject({ available: 1n, executing: 0n });
  });

  it('is not submitted when the claim is in quarantine, or can never be executed', async () => {
    for (const isExcluded of [false, true]) {
      const { job, sign, submittedBy, coins } = await signedLate(() => UNKNOWN);
      await quarantineExecution(redis, job.sponsor, { ...job, message: 'conflict', epoch: 5n });
      if (isExcluded) await excludeExecution(redis, job.sponsor, job);
      await sign();
      expect(submittedBy).toEqual([]);
      expect(await coins()).toMatchObject({ quarantined: 1n, executing: 0n });
    }
  });

  it('is not submitted when the claim is lost, as after a restart of Redis with old data', async () => {
    const { job, sign, submittedBy } = await signedLate(() => UNKNOWN);
    await redis.del(`fc:{${job.sponsor}}:reservation:${job.reservationId}`);
    await sign();
    expect(submittedBy).toEqual([]);
  });

  it('is submitted when the claim is still in this executor’s hands', async () => {
    let effects: Submission = UNKNOWN;
    const { job, coin, sign, submittedBy, coins } = await signedLate(() => effects);
    effects = { kind: 'executed', effects: effectsOf(DIGEST, coin, job.sponsor) };
    await sign();
    expect(submittedBy).toEqual(['slow']);
    expect(await coins()).toMatchObject({ available: 1n, executing: 0n });
  });
});
