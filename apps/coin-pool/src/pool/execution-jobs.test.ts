import { describe, expect, it } from '@jest/globals';
import {
  EXECUTE_TRANSACTION_QUEUE,
  type ExecuteTransactionJob,
  JOB_VERSION,
} from '@forecourt/contracts';
import { useStarted } from '@forecourt/testing/jest';
import { startRedisServer } from '@forecourt/testing/redis';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { Queue, Worker } = await import('bullmq');
const { Turns } = await import('@forecourt/runtime/queue');
const { ExecutionJobs } = await import('./execution-jobs.js');

const LOG = { debug: () => undefined };
const SUBJECT = { reservationId: 64, digest: 'D' };
const TERMS = { sponsor: '0x5', fence: 2, turn: 1 };

const started = useStarted(
  async () => {
    const server = await startRedisServer({ appendfsync: 'no' });
    const connection = { url: server.url, maxRetriesPerRequest: null };
    const queue = new Queue<ExecuteTransactionJob>(EXECUTE_TRANSACTION_QUEUE, { connection });
    const redis = new Redis(server.url);
    const jobs = new ExecutionJobs(queue, new Turns(redis, queue), LOG);
    return { server, connection, queue, redis, jobs };
  },
  async ({ server, queue, redis }) => {
    await queue.close();
    redis.disconnect();
    await server.stop();
  },
);

describe('the job of a claim', () => {
  it('is one, named by digest, reservation and fence, with its request, trace and turn', async () => {
    const { jobs, queue } = started;
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await jobs.add({ ...SUBJECT, requestId: 'r-1', traceparent }, { ...TERMS, turn: 7 });
    await jobs.add(SUBJECT, { ...TERMS, turn: 8 });
    const [job, ...others] = await queue.getJobs();
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      id: 'D-64-2',
      data: { version: JOB_VERSION, ...SUBJECT, sponsor: '0x5', fence: 2, requestId: 'r-1' },
      opts: {
        removeOnComplete: true,
        removeOnFail: true,
        priority: 7,
        telemetry: { metadata: JSON.stringify({ traceparent }) },
      },
    });
    await job!.remove();
  });

  it('has an unknown outcome when the queue does not take it: the call may be repeated', async () => {
    const cause = new Error('connection lost');
    const queue = { name: 'execute', add: () => Promise.reject(cause) };
    const jobs = new ExecutionJobs(queue, { take: async () => 1 }, LOG);
    await expect(jobs.add(SUBJECT, TERMS)).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      retryAfterSecs: 2,
      cause,
    });
  });
});

describe('the turns of callers', () => {
  it('are shared by the users of a token', async () => {
    const asked: string[] = [];
    const take = async (caller: string) => asked.push(caller);
    const jobs = new ExecutionJobs(started.queue, { take }, LOG);
    await jobs.takeTurn('shop');
    await jobs.takeTurn('shop:0x1');
    expect(asked).toEqual(['shop', 'shop']);
  });

  it('are the last one while Redis does not answer', async () => {
    const redis = new Redis(started.server.url, { lazyConnect: true });
    const turns = new Turns(redis, started.queue);
    redis.disconnect();
    expect(await turns.take('shop')).toBe(2 ** 21 - 1);
  });
});

describe('the jobs of several callers', () => {
  async function add(caller: string, number: number): Promise<void> {
    const { jobs } = started;
    const subject = { reservationId: number, digest: `${caller}-${number}` };
    await jobs.add(subject, { ...TERMS, turn: await jobs.takeTurn(caller) });
  }
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
