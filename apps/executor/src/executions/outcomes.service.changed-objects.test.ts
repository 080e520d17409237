import { describe, expect, it } from '@jest/globals';
import { beginExecutions, prepareCoinStore, readPoolTotals } from '@forecourt/coin-store';
import { executionReplyChannel } from '@forecourt/contracts';
import type { FinalTransaction, Submission, TransactionEffects } from '@forecourt/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { useRedis } from '@forecourt/testing/jest';
import { only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { claimOnlyCoin, DIGEST, effectsOf, execute } from './claim.test-support.js';

const UNKNOWN: Submission = { kind: 'unknown', message: 'Internal error' };
const user = { AddressOwner: `0x${'b'.repeat(64)}` };
const car = { objectId: `0x${'c'.repeat(64)}`, version: 8, digest: 'D8' };

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));

async function anExecution() {
  const claimed = await claimOnlyCoin(redis, UNKNOWN);
  await redis.del(...(await redis.keys('fc:recent-object:*')), 'none');
  const effects: TransactionEffects = {
    ...effectsOf(DIGEST, claimed.coin, claimed.job.sponsor),
    mutated: [{ owner: user, reference: car }],
  };
  return { ...claimed, effects };
}

const found = async () => (await new RecentObjects(redis).read([car.objectId])).get(car.objectId);

describe('the objects that a transaction has changed', () => {
  it('are known to the fleet when the waiters receive the outcome', async () => {
    const { job, parts, effects } = await anExecution();
    const listener = new Redis(redis.options);
    await listener.subscribe(executionReplyChannel('one'));
    const known = new Promise((resolve) => listener.on('message', () => resolve(found())));
    const submit = async (): Promise<Submission> => ({ kind: 'executed', effects });
    const ledger = { ...parts.ledger, submit };
    await execute({ ...parts, ledger }, job);
    expect(await known).toEqual({ ...car, owner: user });
    listener.disconnect();
  });

  it('are known when another executor finds the transaction on the ledger', async () => {
    const { job, parts, effects } = await anExecution();
    const landed: FinalTransaction = { digest: DIGEST, effects };
    const findTransaction = async () => landed;
    const ledger = { ...parts.ledger, findTransaction };
    await only(beginExecutions(redis, job.sponsor, parts.executor, [job]));
    await execute({ ...parts, ledger }, job);
    expect(await found()).toMatchObject(car);
  });

  it('do not affect the transaction while they cannot be recorded', async () => {
    const { job, parts, effects } = await anExecution();
    const submit = async (): Promise<Submission> => ({ kind: 'executed', effects });
    const ledger = { ...parts.ledger, submit };
    const recentObjects = { record: () => Promise.reject(new Error('READONLY')) };
    await execute({ ...parts, ledger, recentObjects }, job);
    expect(await found()).toBeUndefined();
    expect((await readPoolTotals(redis, job.sponsor)).coins).toMatchObject({ available: 1n });
  });
});
