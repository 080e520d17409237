import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  adoptCoins,
  beginExecution,
  claimReservation,
  type CoinStoreRedis,
  placementRules,
  prepareCoinStore,
  readPoolTotals,
  registerSponsor,
  reserveGas,
} from '@forecourt/coin-store';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import { createLocalSigner, type DecodedTransaction, type Submission } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { Signers } from '@forecourt/runtime/signers';
import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { ExecutorMetrics } from '../metrics/executor-metrics.js';
import { BatchedSteps } from './batched-steps.js';
import { executeTransaction } from './execute-transaction.js';
import type { ExecutionDependencies } from './execution-dependencies.js';
import { OutcomePending } from './outcome-pending.js';

const CALLER = 'default';
const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const REFUSAL = 'the gas price is too low';

let server: RedisServer;
let redis: CoinStoreRedis;
beforeAll(async () => {
  server = await startRedisServer({ appendfsync: 'no' });
  redis = prepareCoinStore(new Redis(server.url));
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** A claim of a sponsor's only coin, an executor for it, and what its gateway was told. */
async function aClaim(submission: Submission, objectLockMs: number | null = null) {
  const secret = Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');
  const signer = createLocalSigner(secret);
  const sponsor = signer.address;
  const rules = placementRules(1_000_000n);
  const coin = { objectId: `0x${'a'.repeat(64)}`, version: 1, digest: 'C1', balance: 1_000_000n };
  await redis.del('fc:sponsors');
  await registerSponsor(redis, sponsor);
  await adoptCoins(redis, sponsor, [coin], rules);
  const request = { caller: CALLER, gasBudget: 500_000, durationMs: 60_000 };
  const [reserved] = await reserveGas(redis, sponsor, [request]);
  const { reservationId } = reserved!;
  const claimed = await claimReservation(redis, sponsor, {
    caller: CALLER,
    reservationId,
    digest: DIGEST,
    txBytes: 'AAAA',
    userSig: 'BBBB',
    waiter: { gateway: 'one', requestType: 'waitForEffectsCert' },
    leaseMs: 30_000,
    rule: '',
    inputs: [],
    usage: [],
  });
  if (claimed.result !== 'claimed') throw new Error(claimed.result);
  const job = { sponsor, reservationId, digest: DIGEST, fence: claimed.fence };
  const transaction = {
    bytes: Buffer.from('AAAA', 'base64'),
    digest: DIGEST,
    sender: `0x${'b'.repeat(64)}`,
    gasOwner: sponsor,
    gasPayment: [coin],
    gasBudget: 500_000n,
    gasPrice: 1_000n,
    expirationEpoch: null,
    gasCoinUses: [],
    ownedInputs: [],
    receivedInputs: [],
    sharedInputs: [],
  } as unknown as DecodedTransaction;
  const told: string[] = [];
  const status = { epoch: 5n, referenceGasPrice: 1_000n, epochStartedAt: 0, objectLockMs };
  const log = () => undefined;
  const dependencies = {
    redis,
    ledger: {
      decodeTransaction: () => transaction,
      findTransaction: async () => null,
      status: async () => ({ ...status }),
      submit: async () => submission,
    },
    signers: new Signers([signer]),
    steps: new BatchedSteps(redis, 'one'),
    replies: {
      sendRefusal: async (_job: unknown, _waiters: unknown, text: string) => told.push(text),
    },
    rules,
    retentionMs: 60_000,
    metrics: new ExecutorMetrics(new Metrics()),
    logger: { debug: log, info: log, warn: log, error: log },
  } as unknown as ExecutionDependencies;
  return { job, dependencies, told, status, signer };
}

const coinsOf = async ({ sponsor }: ExecuteTransactionJob) =>
  (await readPoolTotals(redis, sponsor)).coins;

describe('a transaction that the ledger refuses', () => {
  const refused: Submission = { kind: 'refused', message: REFUSAL };

  it('reopens its reservation when it was submitted for the first time', async () => {
    const { job, dependencies, told } = await aClaim(refused);
    await executeTransaction(dependencies, job);
    expect(told).toEqual([REFUSAL]);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 0n, reserved: 1n });
  });

  it('is quarantined when another executor began it before and may have submitted it', async () => {
    const { job, dependencies, told } = await aClaim(refused);
    await beginExecution(redis, job.sponsor, { ...job, executor: 'two' });
    const executed = executeTransaction(dependencies, job);
    await expect(executed).rejects.toThrow(OutcomePending);
    await expect(executed).rejects.toThrow(REFUSAL);
    expect(told).toEqual([REFUSAL]);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 1n, reserved: 0n });
  });
});

describe('an outcome that stays unknown', () => {
  const unknown: Submission = { kind: 'unknown', message: 'Internal error' };

  it('does not bind coins forever: once the epoch of the submission is over they are quarantined', async () => {
    const { job, dependencies, told, status } = await aClaim(unknown);
    await expect(executeTransaction(dependencies, job)).rejects.toThrow('Internal error');
    expect(await coinsOf(job)).toMatchObject({ executing: 1n, quarantined: 0n });

    Object.assign(status, { epoch: 6n, epochStartedAt: Date.now() + 1_000 });
    const repeated = executeTransaction(dependencies, job);
    await expect(repeated).rejects.toThrow('before the epoch of its submission ended');
    expect(told).toEqual([expect.stringContaining('not executed')]);
    expect(await coinsOf(job)).toMatchObject({ executing: 0n, quarantined: 1n });
    const begun = await beginExecution(redis, job.sponsor, { ...job, executor: 'two' });
    expect(begun?.quarantine?.epoch).toBe(5n);
  });

  it('is submitted again in the epoch of its first submission', async () => {
    const { job, dependencies } = await aClaim(unknown);
    await expect(executeTransaction(dependencies, job)).rejects.toThrow(OutcomePending);
    let submissions = 0;
    const ledger = {
      ...dependencies.ledger,
      submit: async () => {
        submissions += 1;
        return unknown;
      },
    };
    await expect(executeTransaction({ ...dependencies, ledger }, job)).rejects.toThrow(
      OutcomePending,
    );
    expect(submissions).toBeGreaterThan(0);
    expect(await coinsOf(job)).toMatchObject({ executing: 1n });
  });
});

describe('a transaction whose sponsor’s key is not there yet', () => {
  it('stays as it was claimed, is tried again soon, and is submitted once the key has come', async () => {
    const refused: Submission = { kind: 'refused', message: REFUSAL };
    const { job, dependencies, told, signer } = await aClaim(refused);
    const signers = new Signers([]);
    const without = { ...dependencies, signers };
    const pending = await executeTransaction(without, job).catch((error: unknown) => error);
    expect(pending).toMatchObject({ name: 'OutcomePending', slow: false });
    expect(await coinsOf(job)).toMatchObject({ claimed: 1n, executing: 0n });
    signers.replace([signer]);
    await executeTransaction(without, job);
    expect(told).toEqual([REFUSAL]);
  });

  it('is signed with a key that was removed after the process had started', async () => {
    const refused: Submission = { kind: 'refused', message: REFUSAL };
    const { job, dependencies, told, signer } = await aClaim(refused);
    const signers = new Signers([signer]);
    signers.replace([]);
    await executeTransaction({ ...dependencies, signers }, job);
    expect(told).toEqual([REFUSAL]);
  });
});

describe('a conflict where validators lock objects only for a moment', () => {
  const conflict: Submission = { kind: 'conflict', message: 'reserved for another transaction' };

  it('is looked at again when the locks have expired, as if the epoch had ended', async () => {
    const { job, dependencies } = await aClaim(conflict, 12_000);
    const pending = await executeTransaction(dependencies, job).catch((error: unknown) => error);
    expect(pending).toMatchObject({ name: 'OutcomePending', pauseMs: 12_500 });
    const begun = await beginExecution(redis, job.sponsor, { ...job, executor: 'two' });
    expect(begun?.quarantine?.epoch).toBe(4n);
  });

  it('waits for the end of the epoch elsewhere', async () => {
    const { job, dependencies } = await aClaim(conflict);
    const pending = await executeTransaction(dependencies, job).catch((error: unknown) => error);
    expect(pending).toMatchObject({ name: 'OutcomePending', pauseMs: undefined });
    const begun = await beginExecution(redis, job.sponsor, { ...job, executor: 'two' });
    expect(begun?.quarantine?.epoch).toBe(5n);
  });
});
