import { useRedis } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queue as QueueType } from 'bullmq';
import { Redis } from 'ioredis';
import { spareTakes } from './spare-takes.js';

// Jest cannot load BullMQ while it is still loading the modules that it shares with Nest.
const { Queue, Worker } = await import('bullmq');

const redis = useRedis((url) => new Redis(url, { maxRetriesPerRequest: null }));
const NAME = 'work';
/** Longer than any test: a worker that overlooks a job would not find it in time by itself. */
const UNWOKEN_SECONDS = 600;

type Job = { readonly id?: string | undefined };

describe('a worker that spares takes', () => {
  const workers: { close(): Promise<void> }[] = [];
  let queue: QueueType;
  beforeEach(async () => {
    await redis.flushall();
    queue = new Queue(NAME, { connection: redis });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await queue.close();
  });

  /** Starts a worker, and resolves when it waits for jobs. */
  async function start(process: (job: Job) => Promise<void>, concurrency: number): Promise<void> {
    const connection = redis.duplicate();
    const settings = { backoffStrategy: () => 50 };
    const options = { connection, concurrency, settings, drainDelay: UNWOKEN_SECONDS };
    const worker = new Worker(NAME, process, { ...options, autorun: false });
    workers.push(worker);
    worker.on('closed', () => connection.disconnect());
    spareTakes(worker.backend);
    const drained = new Promise<void>((resolve) => worker.once('drained', resolve));
    void worker.run();
    await drained;
  }
  const add = (id: string, delay = 0) =>
    queue.add(NAME, {}, { jobId: id, delay, attempts: 3, backoff: { type: 'custom' } });
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  /** The calls of a command so far. */
  const callsOf = async (command: string) => {
    const found = new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(
      await redis.info('commandstats'),
    );
    return Number(found?.[1] ?? 0);
  };

  it('takes a lone job with one attempt, and then waits again', async () => {
    const done: string[] = [];
    await start(async ({ id }) => void done.push(id!), 10);
    const [attempts, waits] = await Promise.all([callsOf('rpoplpush'), callsOf('bzpopmin')]);
    for (let number = 1; number <= 10; number += 1) {
      await add(`lone-${number}`);
      await until(() => done.length === number);
      // The end of a job is written behind its work.
      await until(async () => (await queue.getCompletedCount()) === number);
    }
    // One for each job, and one with its end, which looks for a successor.
    expect((await callsOf('rpoplpush')) - attempts).toBe(20);
    expect((await callsOf('bzpopmin')) - waits).toBeLessThanOrEqual(11);
  });

  it('finds each lone job at once when it has time for one at a time', async () => {
    const done: string[] = [];
    await start(async ({ id }) => void done.push(id!), 1);
    for (let number = 1; number <= 10; number += 1) {
      await add(`lone-${number}`);
      await until(() => done.length === number);
      await until(async () => (await queue.getCompletedCount()) === number);
    }
  });

  it.each([1, 3])(
    'executes every job once, with %i jobs at a time in two workers',
    async (most) => {
      const done: string[] = [];
      const work = async ({ id }: Job) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
        done.push(id!);
      };
      await start(work, most);
      await start(work, most);
      const added: string[] = [];
      for (let number = 0; number < 300; number += 1) {
        added.push(`job-${number}`);
        const delay = number % 7 === 0 ? 20 : 0;
        const adding = add(`job-${number}`, delay);
        if (number % 5 !== 0) await adding;
        if (number % 11 === 0)
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
      }
      await until(() => done.length >= added.length);
      expect(done.toSorted()).toEqual(added.toSorted());
    },
  );

  it('begins a delayed job and a repeated attempt when they are due', async () => {
    const begun: string[] = [];
    await start(async ({ id }) => {
      begun.push(id!);
      if (id === 'fails' && begun.filter((one) => one === id).length < 3) throw new Error('again');
    }, 10);
    await add('later', 300);
    await add('fails');
    await until(() => begun.length === 4);
    expect(begun.toSorted()).toEqual(['fails', 'fails', 'fails', 'later']);
  });
});
