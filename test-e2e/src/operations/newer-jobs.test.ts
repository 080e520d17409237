import { describe, expect, it } from '@jest/globals';
import {
  BATCH_JOB_VERSION,
  EXECUTE_TRANSACTION_QUEUE,
  executeTransactionJobId,
  executeTransactionJobOptions,
  JOB_VERSION,
} from '@forecourt/contracts';
import { useStarted } from '@forecourt/testing/jest';
import { Queue } from 'bullmq';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { system } from '../support/systems/fleet-system.js';

describe('a job of a newer release', () => {
  const queue = useStarted(
    async () =>
      new Queue(EXECUTE_TRANSACTION_QUEUE, {
        connection: { url: system.redisUrl, maxRetriesPerRequest: null },
      }),
    (opened) => opened.close(),
  );

  it('stays in the queue while other jobs are executed, until an executor can read it', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    const fence = await system.claimWithoutJob(reservation, transaction);
    const job = {
      sponsor: system.sponsor,
      reservationId: reservation.reservation_id,
      digest: transaction.digest,
      fence,
    };
    const newer = await queue.add(
      queue.name,
      { ...job, version: BATCH_JOB_VERSION + 1 },
      { ...executeTransactionJobOptions, jobId: executeTransactionJobId(job) },
    );
    const isLeft = async () => {
      const logs = await Promise.all(system.services('executor').map((one) => one.log()));
      const lines = logs.flatMap((log) => log.split('\n'));
      return lines.some((line) => line.includes(transaction.digest) && line.includes('left to a'));
    };
    await system.until(isLeft);
    expect((await sponsor(application)).answer).toMatchObject({ status: 200 });
    expect(await newer.isFailed()).toBe(false);
    expect(await queue.getJob(newer.id!)).toBeDefined();
    expect((await system.totals()).coins.claimed).toBe(1n);

    // The job as an executor of that release would store it.
    await newer.updateData({ ...job, version: JOB_VERSION });
    const answer = await executeTx(application, reservation, transaction);
    expect(answer).toMatchObject({
      status: 200,
      body: { effects: { status: { status: 'success' } } },
    });
    await system.settledTotals();
    expect(await system.differences()).toEqual([]);
  });
});
