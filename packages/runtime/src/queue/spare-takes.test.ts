import { useRedis } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queue as QueueType, Worker as WorkerType, WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { spareTakes } from './spare-takes.js';

// Jest cannot load BullMQ while it is still loading the modules that it shares with Nest.
const { Queue, Worker } = await import('bullmq');

const redis = useRedis((url) => new Redis(url, { maxRetriesPerRequest: null }));
const NAME = 'work';
const OPTIONS = { attempts: 3, backoff: { type: 'custom' }, removeOnComplete: true };
/** Longer than any test: a worker that overlooks a job would not find it in time by itself. */
const UNWOKEN_SECONDS = 600;

type Job = { readonly id?: string | undefined };

describe('a worker that spares takes', () => {
  const workers: WorkerType[] = [];
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
  async function start(
    process: (job: Job) => Promise<void>,
    concurrency: number,
    stalling: Pick<WorkerOptions, 'lockDuration' | 'stalledInterval'> = {},
  ): Promise<WorkerType> {
    const { host, port } = redis.options;
    const connection = { host: host!, port: port!, maxRetriesPerRequest: null };
    const options = { connection, concurrency, drainDelay: UNWOKEN_SECONDS, ...stalling };
    const settings = { backoffStrategy: () => 50 };
    const worker = new Worker(NAME, process, { ...options, settings, autorun: false });
    workers.push(worker);
    worker.on('error', () => undefined);
    spareTakes(worker);
    const drained = new Promise<void>((resolve) => worker.once('drained', resolve));
    void worker.run();
    await drained;
    return worker;
  }
  const add = (id: string, delay = 0) => queue.add(NAME, {}, { ...OPTIONS, jobId: id, delay });
  const states = ['active', 'wait', 'prioritized', 'delayed', 'completed', 'failed'] as const;
  const jobsLeft = () => queue.getJobCountByTypes(...states);
  /** Longer than the worker needs to wait for its next job meanwhile, as real work does. */
  const someWork = () => new Promise((resolve) => setTimeout(resolve, 3));
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

  it('takes a lone job and ends the one before with one script', async () => {
    const done: string[] = [];
    await start((job) => someWork().then(() => void done.push(job.id!)), 10);
    // Each addition is a script too.
    const counts = () => Promise.all([callsOf('evalsha'), callsOf('bzpopmin')]);
    const before = await counts();
    for (let number = 1; number <= 10; number += 1) {
      await add(`lone-${number}`);
      await until(() => done.length === number);
    }
    await until(async () => (await jobsLeft()) <= 1);
    const [scripts, waits] = await counts();
    // A slow machine may end one while no job comes.
    expect(scripts - before[0]).toBeLessThanOrEqual(22);
    expect(waits - before[1]).toBeLessThanOrEqual(11);
    await until(async () => (await jobsLeft()) === 0);
  });

  it('ends its last job soon when no other job comes', async () => {
    const done: string[] = [];
    await start(async ({ id }) => void done.push(id!), 10);
    await add('last');
    await until(async () => (await jobsLeft()) === 0);
    expect(done).toEqual(['last']);
    expect(await redis.keys(queue.toKey('last*'))).toEqual([]);
  });

  it('polls a queue that is never empty for no job', async () => {
    const done: string[] = [];
    for (let number = 0; number < 200; number += 1) await add(`job-${number}`);
    const counts = () => Promise.all([callsOf('rpoplpush'), callsOf('bzpopmin')]);
    const before = await counts();
    let waits = 0;
    const work = async ({ id }: Job) => {
      await someWork();
      done.push(id!);
      if (done.length === 190) [, waits] = await counts();
    };
    await start(work, 4);
    await until(() => done.length === 200);
    expect(waits - before[1]).toBe(0);
    await until(async () => (await jobsLeft()) === 0);
    // Each of the last jobs may end before the worker waits.
    expect((await counts())[0] - before[0]).toBeLessThanOrEqual(204);
  });

  describe('while it holds the end of a job', () => {
    const stalling = { lockDuration: 1_000, stalledInterval: 200 };
    /** A worker that holds the end of `first`, and what it does. */
    async function startHolding() {
      const done: string[] = [];
      const work = ({ id }: Job) => someWork().then(() => void done.push(id!));
      const worker = await start(work, 10, stalling);
      const ended = new Promise((resolve) => worker.once('completed', resolve));
      await add('first');
      await ended;
      expect(await queue.getActiveCount()).toBe(1);
      return { worker, done };
    }

    it('writes it when it is closed', async () => {
      const { worker } = await startHolding();
      await worker.close();
      expect(await jobsLeft()).toBe(0);
    });

    it('writes it when it is paused, and takes jobs again after that', async () => {
      const { worker, done } = await startHolding();
      await worker.pause(true);
      await until(async () => (await jobsLeft()) === 0);
      await worker.resume();
      await add('second');
      await until(() => done.length === 2);
    });

    it('may be killed: another worker does the job again, and those that follow', async () => {
      const { worker } = await startHolding();
      await worker.backend.disconnect();
      await worker.close(true);
      const done: string[] = [];
      await start((job) => someWork().then(() => void done.push(job.id!)), 10, stalling);
      await add('second');
      await until(() => done.length === 2);
      expect(done.toSorted()).toEqual(['first', 'second']);
      await until(async () => (await jobsLeft()) === 0);
    });

    it('leaves a job that another worker has taken over', async () => {
      const { done } = await startHolding();
      await redis.set(`${queue.toKey('first')}:lock`, 'of another worker');
      await add('second');
      await until(() => done.length === 2);
      await until(async () => (await jobsLeft()) === 1);
      expect(await queue.getActiveCount()).toBe(1);
    });

    it('begins a delayed job when it is due', async () => {
      const { done } = await startHolding();
      await add('later', 50);
      await until(() => done.length === 2);
      await until(async () => (await jobsLeft()) === 0);
    });

    it('leaves the jobs of a paused queue alone', async () => {
      const { done } = await startHolding();
      await queue.pause();
      await add('second');
      await until(async () => (await jobsLeft()) === 1);
      expect(done).toEqual(['first']);
      await queue.resume();
      await until(() => done.length === 2);
    });
  });

  it('finds each lone job at once when it has time for one at a time', async () => {
    const done: string[] = [];
    await start(async ({ id }) => void done.push(id!), 1);
    for (let number = 1; number <= 10; number += 1) {
      await add(`lone-${number}`);
      await until(() => done.length === number);
      await until(async () => (await jobsLeft()) === 0);
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
