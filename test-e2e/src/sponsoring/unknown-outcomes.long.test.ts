import { EXECUTE_TRANSACTION_QUEUE, type ExecuteTransactionJob } from '@forecourt/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

const EXECUTE = 'iota_executeTransactionBlock';

const inState = async (state: 'executing' | 'quarantined') => (await system.totals()).coins[state];

describe('an indexer that answers every error of a write with -32603', () => {
  let queue: Queue<ExecuteTransactionJob>;

  beforeAll(() => {
    queue = new Queue(EXECUTE_TRANSACTION_QUEUE, { connection: { url: system.redisUrl } });
  });
  afterEach(() => system.control.clearFaults());
  afterAll(() => queue.close());

  /**
   * Waits until executors have submitted the transaction in two attempts and recorded the epoch of both. If
   * the epoch ended during an attempt, that one would count for the next epoch.
   */
  const untilPostponed = (digest: string) =>
    system.until(async () => {
      const jobs = await queue.getDelayed();
      return jobs.some(({ data, attemptsMade }) => data.digest === digest && attemptsMade > 1);
    });

  it('does not bind coins forever: they return after the epoch', async () => {
    const before = await system.settledTotals();
    await system.control.fault({
      kind: 'refuse',
      method: EXECUTE,
      code: -32603,
      message: 'Internal error',
    });
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    const unknown = executeTx(system.application, reservation, transaction);
    await untilPostponed(transaction.digest);
    expect(await inState('executing')).toBe(1n);
    await system.control.advanceEpoch();
    await system.until(async () => (await inState('quarantined')) === 1n);
    await system.control.clearFaults();
    const answer = await unknown;
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('not executed before the epoch of its submission ended');
    await system.until(async () => (await inState('quarantined')) === 0n);
    expect((await system.settledTotals()).coins).toBe(before.coins);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    expect(await system.differences()).toEqual([]);
  });
});
