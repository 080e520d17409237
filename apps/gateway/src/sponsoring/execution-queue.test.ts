import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  EXECUTE_TRANSACTION_QUEUE,
  executeTransactionJobOptions,
  type ExecuteTransactionJob,
  type FoundReservation,
  JOB_VERSION,
} from '@forecourt/contracts';
import { LOGGER, withLogFields } from '@forecourt/runtime/service';
import { useStarted } from '@forecourt/testing/jest';
import { startRedisServer } from '@forecourt/testing/redis';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { Queue, Worker } = await import('bullmq');
const { EXECUTION_QUEUE, Turns } = await import('@forecourt/runtime/queue');
const { Test } = await import('@nestjs/testing');
const MAX_QUEUED = 3;
const LOG = { debug: () => undefined };
const { ExecutionQueue } = await import('./execution-queue.js');

const reservation = { sponsor: '0x5', reservationId: 64, fence: 2 } as FoundReservation;

interface QueueParts {
  readonly add?: (...job: unknown[]) => Promise<void>;
  readonly take?: (caller: string) => Promise<number>;
  readonly count?: () => Promise<number>;
}

async function aQueue({ add, take = async () => 1, count }: QueueParts) {
  const module = await Test.createTestingModule({
    providers: [
      ExecutionQueue,
      { provide: EXECUTION_QUEUE, useValue: { name: 'execute', add, getJobCountByTypes: count } },
      { provide: Turns, useValue: { take } },
      { provide: GATEWAY_CONFIG, useValue: { maxQueued: MAX_QUEUED } },
      { provide: LOGGER, useValue: LOG },
    ],
  }).compile();
  return module.get(ExecutionQueue);
}

describe('the job of a claim', () => {
  it('is named by digest, reservation and fence, and names its request', async () => {
    const added: unknown[] = [];
    const asked: string[] = [];
    const executions = await aQueue({
      add: async (...job) => void added.push(job),
      take: async (caller) => asked.push(caller),
    });
    const claim = {
      version: JOB_VERSION,
      sponsor: '0x5',
      reservationId: 64,
      digest: 'D',
      fence: 2,
    };
    await executions.enqueue(reservation, 'D', 'shop');
    await withLogFields({ requestId: 'r-1' }, () =>
      executions.enqueue(reservation, 'D', 'shop:0x1'),
    );
    const options = { ...executeTransactionJobOptions, jobId: 'D-64-2' };
    expect(added).toEqual([
      ['execute', claim, { ...options, priority: 1 }],
      ['execute', { ...claim, requestId: 'r-1' }, { ...options, priority: 2 }],
    ]);
    expect(asked).toEqual(['shop', 'shop']);
  });

  it('has an unknown outcome when the queue does not take it: the call may be repeated', async () => {
    const cause = new Error('connection lost');
    const executions = await aQueue({ add: () => Promise.reject(cause) });
    await expect(executions.enqueue(reservation, 'D', 'shop')).rejects.toMatchObject({
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
      const executions = new ExecutionQueue(queue, new Turns(redis, queue), { maxQueued: 1 }, LOG);
      return { server, connection, queue, redis, executions };
    },
    async ({ server, queue, redis }) => {
      await queue.close();
      redis.disconnect();
      await server.stop();
    },
  );
  const add = (caller: string, number: number) =>
    started.executions.enqueue(
      { ...reservation, reservationId: number },
      `${caller}-${number}`,
      caller,
    );
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

/** A gateway, and its queue, whose length a test sets; null: the queue does not answer. */
async function aGateway(waiting: number | null) {
  const queue = { waiting, counted: 0 };
  const executions = await aQueue({
    async count() {
      queue.counted += 1;
      if (queue.waiting === null) throw new Error('connection lost');
      return queue.waiting;
    },
  });
  return { queue, executions };
}

const FULL = { code: 'OVERLOADED' };

describe('the bound on queued executions', () => {
  let now: number;
  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  it('refuses an execution that would wait behind as many as the limit', async () => {
    await (await aGateway(2)).executions.requireRoom();
    await expect((await aGateway(3)).executions.requireRoom()).rejects.toMatchObject(FULL);
  });

  it('refuses nothing while the queue cannot be counted', async () => {
    const { queue, executions } = await aGateway(3);
    await expect(executions.requireRoom()).rejects.toMatchObject(FULL);
    queue.waiting = null;
    now += 251;
    await executions.requireRoom();
  });

  it('counts once for requests at the same time, and again a moment later', async () => {
    const { queue, executions } = await aGateway(2);
    await Promise.all([executions.requireRoom(), executions.requireRoom()]);
    queue.waiting = 3;
    now += 249;
    await executions.requireRoom();
    expect(queue.counted).toBe(1);
    now += 251;
    await expect(executions.requireRoom()).rejects.toMatchObject(FULL);
    expect(queue.counted).toBe(2);
  });
});
