import { afterEach, describe, expect, it } from '@jest/globals';
import { buildSponsored, executeTx, reserved, reserveGas } from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { EXECUTE_TRANSACTION_QUEUE, type ExecutionJob } from '@forecourt/contracts';
import { useStarted } from '@forecourt/testing/jest';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

const system = useSystem((files) => ({
  gateways: 2,
  executors: 2,
  redis: { dir: files.pathOf('redis') },
  env: {
    EXECUTE_WAIT_MS: '45000',
    CLAIM_LEASE_MS: '2000',
    LEDGER_TIMEOUT_MS: '4000',
  },
}));
afterEach(() => system.control.clearFaults());

const jobs = useStarted(
  async () => {
    const connection = { url: system.redisUrl, maxRetriesPerRequest: null };
    const opened = new Queue<ExecutionJob>(EXECUTE_TRANSACTION_QUEUE, { connection });
    const redis = new Redis(system.redisUrl);
    // Redis is restarted by some of the tests.
    opened.on('error', () => undefined);
    redis.on('error', () => undefined);
    return { queue: opened, redis };
  },
  async (opened) => {
    await opened.queue.close();
    opened.redis.disconnect();
  },
);

const EXECUTE = 'iota_executeTransactionBlock';

describe('a process that dies', () => {
  it('loses nothing as an executor that has submitted: another one finds the outcome', async () => {
    const { control, application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    await control.fault({ kind: 'latency', ms: 2_000, times: 1, method: EXECUTE });
    const before = await control.requestsOf(EXECUTE);
    const answer = executeTx(application, reservation, transaction);
    await system.until(async () => (await control.requestsOf(EXECUTE)) > before);
    for (const executor of system.services('executor')) executor.kill('SIGKILL');
    await Promise.all(system.services('executor').map((executor) => executor.restart()));
    const { status, body } = await answer;
    expect([status, body.effects?.status.status]).toEqual([200, 'success']);
    expect(await system.differences()).toEqual([]);
  });

  it('loses nothing as an executor with several transactions in one job: each gets its own', async () => {
    const { control, application } = system;
    const reservations = await Promise.all(Array.from({ length: 12 }, () => reserved(application)));
    const transactions = await Promise.all(
      reservations.map((one) => buildSponsored(application, one)),
    );
    await control.fault({ kind: 'latency', ms: 2_000, times: 12, method: EXECUTE });
    const before = await control.requestsOf(EXECUTE);
    const answers = Promise.all(
      transactions.map((one, index) => executeTx(application, reservations[index]!, one)),
    );
    await system.until(async () => (await control.requestsOf(EXECUTE)) > before);
    const { queue, redis } = jobs;
    const inWork = await queue.getJobs(['active', 'wait', 'prioritized']);
    expect(inWork.some(({ data }) => 'claims' in data)).toBe(true);
    const executors = system.services('executor');
    for (const executor of executors) executor.kill('SIGKILL');
    await Promise.all(executors.map((executor) => executor.restart()));
    for (const { status, body } of await answers) {
      expect([status, body.effects?.status.status]).toEqual([200, 'success']);
    }
    // An executor answers before it removes the job.
    await system.until(async () => (await queue.getJobs()).length === 0);
    expect(await redis.exists(queue.toKey('shared'))).toBe(0);
    expect(await system.differences()).toEqual([]);
  });

  it('loses nothing as a gateway that waits: the other one answers the retry', async () => {
    const { control, applications } = system;
    const [one, two] = applications;
    const reservation = await reserved(one!);
    const transaction = await buildSponsored(one!, reservation);
    await control.fault({ kind: 'latency', ms: 1_500, times: 1, method: EXECUTE });
    const before = await control.requestsOf(EXECUTE);
    const lost = executeTx(one!, reservation, transaction).catch(() => 'connection lost');
    await system.until(async () => (await control.requestsOf(EXECUTE)) > before);
    const [gateway] = system.services('gateway');
    gateway!.kill('SIGKILL');
    expect(await lost).toBe('connection lost');
    const answer = await executeTx(two!, reservation, transaction);
    expect(answer.body.effects?.status.status).toBe('success');
    expect(await control.submissionsOf(transaction.digest)).toBe(1);
    await gateway!.restart();
    expect(await system.differences()).toEqual([]);
  });

  it('stops in order on SIGTERM: it finishes transactions in flight first', async () => {
    const { control, application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    await control.fault({ kind: 'latency', ms: 1_000, times: 1, method: EXECUTE });
    const before = await control.requestsOf(EXECUTE);
    const answer = executeTx(application, reservation, transaction);
    await system.until(async () => (await control.requestsOf(EXECUTE)) > before);
    await Promise.all(system.services('executor').map((executor) => executor.stop()));
    expect((await answer).body.effects?.status.status).toBe('success');
    await Promise.all(system.services('executor').map((executor) => executor.start()));
  });
});

describe('an executor that dies after it has ended a quarantine by moving the coins', () => {
  it('leaves it to another executor to count that gas and to release the coins at once', async () => {
    const { control, application } = system;
    const executors = system.services('executor');
    await Promise.all(executors.map((executor) => executor.stop()));
    const armed = { FORECOURT_FAILPOINTS: 'executor:after-move-on=1' };
    await Promise.all(executors.map((executor) => executor.start(armed)));
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    const stranger = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
    await control.lock(reservation.gas_coins[0]!.objectId, stranger);
    const { gasCharged: gasBefore } = await system.totals();
    const { balance: balanceBefore } = await system.settledTotals();
    const answer = executeTx(application, reservation, transaction);
    await system.until(async () => (await system.totals()).coins.quarantined > 0n);
    await control.advanceEpoch();
    await Promise.race(executors.map((executor) => executor.exited()));
    await Promise.all(executors.map((executor) => executor.stop()));
    await Promise.all(executors.map((executor) => executor.start()));
    await system.until(async () => (await system.totals()).coins.quarantined === 0n);
    const refused = await answer;
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringMatching(/equivocated/),
    ]);
    const { gasCharged } = await system.totals();
    const spent = balanceBefore - (await system.settledTotals()).balance;
    expect(spent).toBeGreaterThan(0n);
    expect(gasCharged - gasBefore).toBe(spent);
    expect(await system.differences()).toEqual([]);
  });
});

describe('Redis', () => {
  it('causes 503 at once while it is down, and nothing is lost when it is back', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    await system.stopRedis();
    const startedAt = Date.now();
    const [reserve, execute] = await Promise.all([
      reserveGas(application),
      executeTx(application, reservation, transaction),
    ]);
    expect([reserve.status, execute.status]).toEqual([503, 503]);
    expect(Number(reserve.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    await system.startRedis();
    await system.until(async () => (await reserveGas(application, 1, 1)).status === 200);
    const answer = await executeTx(application, reservation, transaction);
    expect(answer.body.effects?.status.status).toBe('success');
    expect(await system.differences()).toEqual([]);
  });
});

describe('a coin-pool', () => {
  it('waits for Redis when it starts while Redis is down', async () => {
    const [coinPool] = system.services('coin-pool');
    await coinPool!.stop();
    await system.stopRedis();
    const before = (await coinPool!.log()).length;
    coinPool!.launch();
    const said = async () => (await coinPool!.log()).slice(before);
    await system.until(async () => /Waiting for Redis/.test(await said()) || !coinPool!.running);
    expect(coinPool!.running).toBe(true);
    await system.startRedis();
    await Promise.all([coinPool!, ...system.services('gateway')].map((one) => one.ready()));
    // The pool's earlier state is not remembered: coins are suspended first.
    await system.until(async () => (await reserveGas(system.application, 1, 1)).status === 200);
  });
});

describe('an orphaned claim', () => {
  it('gets a job by the client’s retry; otherwise its reservation can be used again after its lease', async () => {
    const { application, applications } = system;
    const reservation = await reserved(application);
    const first = await buildSponsored(application, reservation);
    await system.claimWithoutJob(reservation, first);
    const retried = await executeTx(applications[1]!, reservation, first);
    expect([retried.status, retried.body]).toMatchObject([
      200,
      { effects: { status: { status: 'success' } } },
    ]);

    const again = await reserved(application);
    const [dead, corrected] = [
      await buildSponsored(application, again),
      await buildSponsored(application, again),
    ];
    await system.claimWithoutJob(again, dead);
    await system.until(async () => (await system.totals()).coins.claimed === 0n);
    const answer = await executeTx(application, again, corrected);
    expect(answer.body.effects?.status.status).toBe('success');
  });
});

describe('a lost job', () => {
  it('is enqueued again for an execution that no executor has taken up', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    await system.beginWithoutJob(reservation, transaction);
    await system.until(async () => (await system.totals()).coins.executing === 0n);
    const answer = await executeTx(application, reservation, transaction);
    expect(answer.body.effects?.status.status).toBe('success');
    expect(await system.differences()).toEqual([]);
  });
});
