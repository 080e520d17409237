import { describe, expect, it } from '@jest/globals';
import {
  beginExecutions,
  prepareCoinStore,
  quarantineExecution,
  readPoolTotals,
  settleExecutions,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Submission } from '@forecourt/ledger';
import { useRedis } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import {
  claimOnlyCoin,
  COMPUTATION,
  countedIn,
  DIGEST,
  effectsOf,
  execute,
} from './claim.test-support.js';
import { OutcomePending } from './outcome-pending.js';

const REFUSAL = 'the gas price is too low';
const UNKNOWN: Submission = { kind: 'unknown', message: 'Internal error' };

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

const coinsOf = async ({ sponsor }: ExecuteTransactionJob) =>
  (await readPoolTotals(redis, sponsor)).coins;

describe('another executor that works on the same transaction concurrently', () => {
  it('keeps a refusal from releasing coins that it may have submitted, and no reply is sent yet', async () => {
    const { job, parts, told, metrics } = await claimOnlyCoin(redis, UNKNOWN);
    const submit = async (): Promise<Submission> => {
      await only(beginExecutions(redis, job.sponsor, 'two', [job]));
      return { kind: 'refused', message: REFUSAL };
    };
    const ledger = { ...parts.ledger, submit };
    await execute({ ...parts, ledger }, job);
    expect([told, await countedIn(metrics)]).toEqual([[], []]);
    expect(await coinsOf(job)).toMatchObject({ executing: 1n, reserved: 0n });
  });

  it('has quarantined it before, which is counted once', async () => {
    const { job, parts, told, metrics } = await claimOnlyCoin(redis, UNKNOWN);
    const conflict: Submission = { kind: 'conflict', message: REFUSAL };
    const submit = async (): Promise<Submission> => {
      await quarantineExecution(redis, job.sponsor, { ...job, message: REFUSAL, epoch: 5n });
      return conflict;
    };
    const ledger = { ...parts.ledger, submit };
    await expect(execute({ ...parts, ledger }, job)).rejects.toThrow(OutcomePending);
    expect([told, await countedIn(metrics)]).toEqual([[], []]);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 1n });
  });

  it('has settled it before, which is counted and followed up once', async () => {
    const { job, parts, rules, coin, metrics } = await claimOnlyCoin(redis, UNKNOWN);
    const effects = effectsOf(DIGEST, coin, job.sponsor);
    const submit = async (): Promise<Submission> => {
      await only(
        settleExecutions(redis, job.sponsor, [
          {
            ...job,
            outcome: 'executed',
            returned: [{ ...coin, version: coin.version + 1 }],
            gasCharged: COMPUTATION,
            cost: COMPUTATION,
            rules,
            retentionMs: 60_000,
          },
        ]),
      );
      return { kind: 'executed', effects };
    };
    const followUp = () => {
      throw new Error('followed up twice');
    };
    const replies = { ...parts.replies, followUp };
    const ledger = { ...parts.ledger, submit };
    await execute({ ...parts, ledger, replies }, job);
    expect(await countedIn(metrics)).toEqual([]);
    expect((await readPoolTotals(redis, job.sponsor)).gasCharged).toBe(COMPUTATION);
  });
});
