import { describe, expect, it } from '@jest/globals';
import {
  EXECUTE_TRANSACTION_QUEUE,
  executeTransactionJobOptions,
  type ExecuteTransactionJob,
  type FoundReservation,
  JOB_VERSION,
} from '@forecourt/contracts';
import { withLogFields } from '@forecourt/runtime/service';
import { useStarted } from '@forecourt/testing/jest';
import { startRedisServer } from '@forecourt/testing/redis';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { Queue, Worker } = await import('bullmq');
const { Turns } = await import('@forecourt/runtime/queue');
const { EnqueueExecution } = await import('./enqueue-execution.js');

const reservation = { sponsor: '0x5', reservationId: 64, fence: 2 } as FoundReservation;

describe('a claim that is handed to the executors', () => {
  it('becomes one job, named by digest, reservation and fence, that says which request it is for', async () => {
    const added: unknown[] = [];
    const queue = { name: 'execute', add: async (...job: unknown[]) => void added.push(job) };
    const asked: string[] = [];
    const take = async (caller: string) => asked.push(caller);
    const enqueue = new EnqueueExecution(queue as never, { take });
    const claim = {
      version: JOB_VERSION,
      sponsor: '0x5',
      reservationId: 64,
      digest: 'D',
      fence: 2,
    };
    await enqueue.run(reservation, 'D', 'shop');
    await withLogFields({ requestId: 'r-1' }, () => enqueue.run(reservation, 'D', 'shop:0x1'));
    const options = { ...executeTransactionJobOptions, jobId: 'D-64-2' };
    expect(added).toEqual([
      ['execute', claim, { ...options, priority: 1 }],
      ['execute', { ...claim, requestId: 'r-1' }, { ...options, priority: 2 }],
    ]);
    expect(asked).toEqual(['shop', 'shop']);
  });

  it('has an unknown outcome when the queue does not take it: the call may be repeated', async () => {
    const cause = new Error('connection lost');
    const queue = { name: 'execute', add: () => Promise.reject(cause) };
    const enqueue = new EnqueueExecution(queue as never, { take: async () => 1 });
    await expect(enqueue.run(reservation, 'D', 'shop')).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      retryAfterSecs: 2,
      cause,
    });
  });
});

describe('the jobs of several callers', () => {
  const started = useStarted(
    async () => {
      const server = await startRedisServer({ appendfsync: 'no' });
      const connection = { url: server.url, maxRetriesPerRequest: null };
      const queue = new Queue(EXECUTE_TRANSACTION_QUEUE, { connection });
      const redis = new Redis(server.url);
      const enqueue = new EnqueueExecution(queue, new Turns(redis, queue));
      return { server, connection, queue, redis, enqueue };
    },
    async ({ server, queue, redis }) => {
      await queue.close();
      redis.disconnect();
      await server.stop();
    },
  );
  const add = (caller: string, number: number) =>
    started.enqueue.run({ ...reservation, reservationId: number }, `${caller}-${number}`, caller);
  const addAll = (caller: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, number) => add(caller, number + 1)));

  /** Executes everything that waits; the callers in that order. */
  async function order(): Promise<string[]> {
    const callers: string[] = [];
    const { connection, queue } = started;
    const worker = new Worker(
      EXECUTE_TRANSACTION_QUEUE,
      async ({ data }: Job<ExecuteTransactionJob>) => {
        callers.push(data.digest.split('-')[0]!);
      },
      { connection, autorun: false },
    );
    const drained = new Promise((resolve) => worker.once('drained', () => resolve(null)));
    void worker.run();
    await drained;
    await worker.close();
    expect(await queue.getJobCountByTypes('wait', 'prioritized')).toBe(0);
    return callers;
  }

  it('are executed in turn: hundreds of one do not delay the first ones of others', async () => {
    await addAll('busy', 250);
    await addAll('other', 3);
    await addAll('third', 1);
    const callers = await order();
    expect(callers).toHaveLength(254);
    expect(callers.slice(0, 7).toSorted()).toEqual(
      ['busy', 'busy', 'busy', 'other', 'other', 'other', 'third'].toSorted(),
    );
    expect(callers.slice(0, 3)).toEqual(['busy', 'other', 'third']);
  });

  it('do not count against their caller any more once they are executed', async () => {
    const turns = new Turns(started.redis, started.queue);
    for (let times = 0; times < 20; times++) await turns.take('frequent');
    await addAll('busy', 20);
    await add('frequent', 1);
    expect((await order()).indexOf('frequent')).toBeLessThan(3);
  });

  it('begin at the first turn again before the turns are used up, and share the last one until then', async () => {
    const { redis, queue } = started;
    const turns = new Turns(redis, queue);
    const last = 2 ** 21 - 1;
    await redis.zadd(queue.toKey('prioritized'), (last - 1) * 2 ** 32, 'waiting');
    const taken = [await turns.take('new'), await turns.take('new'), await turns.take('new')];
    expect(taken).toEqual([last - 1, last, last]);
    await redis.del(queue.toKey('prioritized'));
    expect(await turns.take('new')).toBe(1);
  });
});
