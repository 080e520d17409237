import { prepareCoinStore, setHistoryBacklog } from '@forecourt/coin-store';
import type { Submission } from '@forecourt/ledger';
import { useRedis } from '@forecourt/testing/jest';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { claimOnlyCoin, DIGEST, effectsOf, execute } from './claim.test-support.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

/** A claim of a pool whose history is on. */
async function claimWithHistory(submission: Submission) {
  const claimed = await claimOnlyCoin(redis, submission);
  const { sponsor, reservationId } = claimed.job;
  await setHistoryBacklog(redis, sponsor, 10);
  const key = (name: string) => `fc:{${sponsor}}:${name}`;
  const entry = async () => {
    const [found] = await redis.xrange(key('history'), '-', '+');
    const pairs = found![1];
    return (field: string) => pairs[pairs.indexOf(field) + 1]!;
  };
  const trail = async () => (await redis.get(key(`trail:${reservationId}`))) ?? '';
  return { ...claimed, entry, trail };
}

const events = (trail: string) => trail.split('\n').flatMap((line) => line.split('\t').slice(1, 2));

describe('the history of an execution', () => {
  it('has its charges, its outcome and the time of its submission', async () => {
    const { job, parts, coin, entry } = await claimWithHistory({ kind: 'unknown', message: '' });
    const effects = {
      ...effectsOf(DIGEST, coin, job.sponsor),
      status: { status: 'failure', error: 'MoveAbort(7)' },
    } as const;
    const submit = async (): Promise<Submission> => ({ kind: 'executed', effects });
    const before = Date.now();
    await execute({ ...parts, ledger: { ...parts.ledger, submit } }, job);
    const field = await entry();
    expect([field('state'), field('executor')]).toEqual(['executed', 'one']);
    expect(JSON.parse(field('result'))).toEqual({
      outcome: 'failure',
      failure: 'MoveAbort(7)',
      computation: '1000',
      storage: '0',
      rebate: '0',
    });
    expect(Number(field('counted'))).toBeGreaterThanOrEqual(1_000);
    expect(events(field('trail'))).toEqual(['claimed', 'begun', 'submitted']);
    const submitted = Number(/(\d+)\tsubmitted/.exec(field('trail'))![1]);
    expect(submitted).toBeGreaterThanOrEqual(before - 1);
    expect(submitted).toBeLessThanOrEqual(Number(field('ended')));
  });

  it('has every submission of an outcome that stays unknown, by each attempt', async () => {
    const unknown = { kind: 'unknown', message: 'timed out' } as const;
    const { job, parts, trail } = await claimWithHistory(unknown);
    await expect(execute(parts, job)).rejects.toThrow('timed out');
    expect(events(await trail())).toEqual(Array(4).fill('submitted'));
    const mute = { ...parts.ledger, status: () => Promise.reject(new Error('no node answers')) };
    const other = { ...parts, ledger: { ...mute, findTransaction: async () => null } };
    await expect(execute(other, job)).rejects.toThrow('no node answers');
    expect(events(await trail())).toHaveLength(4);
  });

  it('has the submission that the ledger refused, and the reason', async () => {
    const { job, parts, trail } = await claimWithHistory({ kind: 'refused', message: 'gas price' });
    await execute(parts, job);
    expect(events(await trail())).toEqual(['claimed', 'begun', 'submitted', 'refused']);
    expect(await trail()).toContain(`\trefused\t${DIGEST}\tgas price\n`);
  });
});
