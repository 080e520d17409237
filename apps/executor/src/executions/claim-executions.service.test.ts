import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import {
  beginExecutions,
  placementRules,
  prepareCoinStore,
  readPoolTotals,
  settleExecutions,
} from '@forecourt/coin-store';
import { type ExecuteTransactionJob, executionReplyChannel } from '@forecourt/contracts';
import type { FinalTransaction, Submission } from '@forecourt/ledger';
import { openSubscriber } from '@forecourt/runtime/redis';
import { Signers } from '@forecourt/runtime/signers';
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

describe('a transaction that the ledger refuses', () => {
  const refused: Submission = { kind: 'refused', message: REFUSAL };

  it('reopens its reservation when it was submitted for the first time', async () => {
    const { job, parts, told } = await claimOnlyCoin(redis, refused);
    await execute(parts, job);
    expect(told).toEqual([REFUSAL]);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 0n, reserved: 1n });
  });

  it('is quarantined, and its caller receives no refusal, when another executor may have submitted it', async () => {
    const { job, parts, told } = await claimOnlyCoin(redis, refused);
    await only(beginExecutions(redis, job.sponsor, 'two', [job]));
    const executed = execute(parts, job);
    await expect(executed).rejects.toThrow(OutcomePending);
    expect(told).toEqual([]);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 1n, reserved: 0n });
  });
});

describe('a submission that is refused after an earlier one', () => {
  it.each(['refused', 'conflict'] as const)(
    'is settled when the earlier one has landed meanwhile: %s',
    async (kind) => {
      const submission: Submission = { kind, message: REFUSAL };
      const { job, parts, told, coin } = await claimOnlyCoin(redis, submission);
      await only(beginExecutions(redis, job.sponsor, 'two', [job]));
      let hasLanded = false;
      const ledger = {
        ...parts.ledger,
        submit: async () => {
          hasLanded = true;
          return submission;
        },
        findTransaction: async () =>
          hasLanded ? { digest: DIGEST, effects: effectsOf(DIGEST, coin, job.sponsor) } : null,
      };
      await execute({ ...parts, ledger }, job);
      expect(told).toEqual([]);
      expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 0n, available: 1n });
    },
  );
});

describe('a transaction that the ledger executes', () => {
  it('is submitted at once by its first executor, without a query to the ledger', async () => {
    const { job, parts, coin } = await claimOnlyCoin(redis, UNKNOWN);
    const executed: Submission = {
      kind: 'executed',
      effects: effectsOf(DIGEST, coin, job.sponsor),
    };
    const fail = () => Promise.reject(new Error('asked'));
    const submit = async () => executed;
    const ledger = { ...parts.ledger, submit, findTransaction: fail, status: fail };
    await execute({ ...parts, ledger }, job);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, available: 1n });
  });

  it('returns its coin, sends its outcome to the waiters and is counted with gas and cost, once', async () => {
    const { job, parts, coin, metrics } = await claimOnlyCoin(redis, UNKNOWN);
    const executed: Submission = {
      kind: 'executed',
      effects: effectsOf(DIGEST, coin, job.sponsor),
    };
    const ledger = { ...parts.ledger, submit: async () => executed };
    const followed: unknown[] = [];
    const replies = {
      ...parts.replies,
      followUp: (...call: unknown[]) => void followed.push(call),
    };
    for (let times = 0; times < 2; times++) {
      await execute({ ...parts, ledger, replies }, job);
    }
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, available: 1n });
    const { gasCharged, balance } = await readPoolTotals(redis, job.sponsor);
    expect([gasCharged, balance.available]).toEqual([COMPUTATION, coin.balance - COMPUTATION]);
    expect(followed).toEqual([[job, [{ gateway: 'one', requestType: 'waitForLocalExecution' }]]]);
    expect(await countedIn(metrics)).toEqual([
      'forecourt_executions_total{outcome="executed",cause="success"} 1',
      `forecourt_gas_charged_smallest_unit_total{purpose="execution"} ${COMPUTATION}`,
      `forecourt_gas_spent_smallest_unit_total{token="default",rule="none"} ${COMPUTATION}`,
    ]);
  });
});

describe('a transaction that requests of the executor’s process wait for', () => {
  /** Executes a claim whose transaction has `effects`; returns how they were sent. */
  async function executeAwaited(settleBefore: boolean) {
    const { job, parts, coin } = await claimOnlyCoin(redis, UNKNOWN);
    const effects = effectsOf(DIGEST, coin, job.sponsor);
    const { reservationId } = job;
    const settlement = {
      reservationId,
      digest: DIGEST,
      outcome: 'executed',
      returned: [],
    } as const;
    const rules = placementRules(parts.settings.poolTargetBalance);
    const submit = async (): Promise<Submission> => {
      const costs = { gasCharged: 0n, cost: 0n, retentionMs: 60_000, rules };
      const settled = { ...settlement, ...costs };
      if (settleBefore) await only(settleExecutions(redis, job.sponsor, [settled]));
      return { kind: 'executed', effects };
    };
    const sent: unknown[] = [];
    const replies: typeof parts.replies = {
      ...parts.replies,
      areAwaitedHere: (digest) => digest === DIGEST,
      sendEffects: async (_job, waiters, sentEffects) => {
        const { executing } = await coinsOf(job);
        sent.push([waiters.map(({ gateway }) => gateway), sentEffects === effects, executing]);
      },
    };
    const published: string[] = [];
    const gateway = openSubscriber(redis);
    gateway.on('message', (_channel, text: string) => void published.push(text));
    await gateway.subscribe(executionReplyChannel('one'));
    await execute({ ...parts, ledger: { ...parts.ledger, submit }, replies }, job);
    await redis.publish(executionReplyChannel('one'), 'end');
    while (!published.includes('end')) await once(gateway, 'message');
    gateway.disconnect();
    return { sent, published };
  }

  it('has its effects sent to them after it is settled, and published by no script', async () => {
    const { sent, published } = await executeAwaited(false);
    expect(sent).toEqual([[['one'], true, 0n]]);
    expect(published).toEqual(['end']);
  });

  it('has its effects sent to them if another executor has settled it meanwhile', async () => {
    const { sent } = await executeAwaited(true);
    expect(sent).toEqual([[[], true, 0n]]);
  });
});

describe('a transaction whose effects suffice to its waiters', () => {
  it('has no second reply', async () => {
    const claim = await claimOnlyCoin(redis, UNKNOWN, null, undefined, 'waitForEffectsCert');
    const { job, parts, coin } = claim;
    const effects = effectsOf(DIGEST, coin, job.sponsor);
    const submit = async (): Promise<Submission> => ({ kind: 'executed', effects });
    const followUp = () => {
      throw new Error('followed up');
    };
    const replies = { ...parts.replies, followUp };
    await execute({ ...parts, ledger: { ...parts.ledger, submit }, replies }, job);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, available: 1n });
  });
});

describe('a transaction that costs its gas and fails', () => {
  it('is settled like any other, and counted as a failure', async () => {
    const { job, parts, coin, metrics } = await claimOnlyCoin(redis, UNKNOWN);
    const effects = effectsOf(DIGEST, coin, job.sponsor);
    const status = { status: 'failure', error: 'MoveAbort' } as const;
    const failed = { ...effects, status };
    const submit = async (): Promise<Submission> => ({ kind: 'executed', effects: failed });
    await execute({ ...parts, ledger: { ...parts.ledger, submit } }, job);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, available: 1n });
    expect(await countedIn(metrics)).toContain(
      'forecourt_executions_total{outcome="executed",cause="failure"} 1',
    );
  });

  it('takes its gas coin out of the pool when the coin belongs to another account', async () => {
    const { job, parts, coin } = await claimOnlyCoin(redis, UNKNOWN);
    const effects = effectsOf(DIGEST, coin, `0x${'c'.repeat(64)}`);
    const submit = async (): Promise<Submission> => ({ kind: 'executed', effects });
    await execute({ ...parts, ledger: { ...parts.ledger, submit } }, job);
    expect(Object.values(await coinsOf(job)).every((count) => count === 0n)).toBe(true);
  });
});

describe('an outcome that stays unknown', () => {
  it('does not bind coins forever: they are quarantined once the epoch of the submission is over', async () => {
    const { job, parts, told, status } = await claimOnlyCoin(redis, UNKNOWN);
    await expect(execute(parts, job)).rejects.toThrow('Internal error');
    expect(await coinsOf(job)).toMatchObject({ executing: 1n, quarantined: 0n });

    Object.assign(status, { epoch: 6n });
    await expect(execute(parts, job)).rejects.toThrow('does not show the coins');
    // No node reported its outcome, which is not the caller's fault.
    expect(await redis.exists(`fc:{${job.sponsor}}:quarantines:default`)).toBe(0);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 1n });
    const begun = await only(beginExecutions(redis, job.sponsor, 'two', [job]));
    expect(begun?.quarantine).toMatchObject({ epoch: 5n, message: '' });
    expect(told).toEqual([]);
  });

  it('is looked up after the end of the epoch, in which it may have landed at the last moment', async () => {
    const { job, parts, told, status, coin } = await claimOnlyCoin(redis, UNKNOWN);
    await expect(execute(parts, job)).rejects.toThrow(OutcomePending);
    let hasLanded = false;
    const ledger = {
      ...parts.ledger,
      status: async () => {
        hasLanded = true;
        return { ...status, epoch: 6n };
      },
      findTransaction: async () =>
        hasLanded ? { digest: DIGEST, effects: effectsOf(DIGEST, coin, job.sponsor) } : null,
    };
    await execute({ ...parts, ledger }, job);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 0n, available: 1n });
    expect(told).toEqual([]);
  });

  it('is settled, and not submitted again, when it has landed meanwhile', async () => {
    const { job, parts, coin } = await claimOnlyCoin(redis, UNKNOWN);
    await expect(execute(parts, job)).rejects.toThrow(OutcomePending);
    const ledger = {
      ...parts.ledger,
      findTransaction: async () => ({
        digest: DIGEST,
        effects: effectsOf(DIGEST, coin, job.sponsor),
      }),
      submit: () => Promise.reject(new Error('submitted')),
    };
    await execute({ ...parts, ledger }, job);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, available: 1n });
  });

  it.each([
    ['in the epoch of its first submission, with any clocks', { epochStartedAt: Infinity }],
    ['when its executor died before it noted the epoch', { epoch: 6n }],
  ])('is submitted again %s', async (_when, later) => {
    const { job, parts, status } = await claimOnlyCoin(redis, UNKNOWN);
    await only(beginExecutions(redis, job.sponsor, 'two', [job]));
    Object.assign(status, later);
    let submissions = 0;
    const submit = async () => {
      submissions += 1;
      return UNKNOWN;
    };
    const ledger = { ...parts.ledger, submit };
    await expect(execute({ ...parts, ledger }, job)).rejects.toThrow(OutcomePending);
    expect(submissions).toBeGreaterThan(0);
    expect(await coinsOf(job)).toMatchObject({ executing: 1n });
  });

  it('reads the ledger’s current epoch instead of the cached one', async () => {
    const { job, parts } = await claimOnlyCoin(redis, UNKNOWN);
    const requests: (number | undefined)[] = [];
    const { ledger } = parts;
    const status = (maxAgeMs?: number) => {
      requests.push(maxAgeMs);
      return ledger.status(maxAgeMs);
    };
    const fresh = { ...parts, ledger: { ...ledger, status } };
    await expect(execute(fresh, job)).rejects.toThrow(OutcomePending);
    await expect(execute(fresh, job)).rejects.toThrow(OutcomePending);
    expect(new Set(requests)).toEqual(new Set([0]));
  });
});

describe('a transaction whose sponsor’s key is missing', () => {
  it('stays claimed, is left to other executors, and is submitted once the key is added', async () => {
    const refused: Submission = { kind: 'refused', message: REFUSAL };
    const { job, parts, told, signer } = await claimOnlyCoin(redis, refused);
    const signers = new Signers([]);
    const without = { ...parts, signers };
    const pending = await execute(without, job).catch((error: unknown) => error);
    expect(pending).toMatchObject({ name: 'OutcomePending', pace: 'elsewhere' });
    expect(await coinsOf(job)).toMatchObject({ claimed: 1n, executing: 0n });
    signers.replace([signer]);
    await execute(without, job);
    expect(told).toEqual([REFUSAL]);
  });

  it('is signed with a key that was removed after the process had started', async () => {
    const refused: Submission = { kind: 'refused', message: REFUSAL };
    const { job, parts, told, signer } = await claimOnlyCoin(redis, refused);
    const signers = new Signers([signer]);
    signers.replace([]);
    await execute({ ...parts, signers }, job);
    expect(told).toEqual([REFUSAL]);
  });
});

describe('a refusal after an outcome that was unknown', () => {
  it.each(['refused', 'conflict'] as const)(
    'is not reported, since the first submission may still be executed: %s',
    async (kind) => {
      const answers: Submission[] = [UNKNOWN, { kind, message: REFUSAL }];
      const { job, parts, told, coin, metrics } = await claimOnlyCoin(redis, UNKNOWN);
      let landed: FinalTransaction | null = null;
      const ledger = {
        ...parts.ledger,
        submit: async () => answers.shift()!,
        findTransaction: async () => landed,
      };
      const attempt = () => execute({ ...parts, ledger }, job);
      await expect(attempt()).rejects.toThrow(OutcomePending);
      expect(told).toEqual([]);
      expect(await coinsOf(job)).toMatchObject({ quarantined: 1n, reserved: 0n });

      landed = { digest: DIGEST, effects: effectsOf(DIGEST, coin, job.sponsor) };
      await attempt();
      expect(await coinsOf(job)).toMatchObject({ quarantined: 0n, available: 1n });
      expect(await countedIn(metrics)).toContain(
        'forecourt_executions_total{outcome="executed",cause="success"} 1',
      );
    },
  );
});
