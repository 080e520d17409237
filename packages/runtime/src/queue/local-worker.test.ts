import { useRedis } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queue as QueueType, Worker as WorkerType, WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { addInTurn } from './add-in-turn.js';
import { LocalWorker } from './local-worker.js';
import { spareTakes } from './spare-takes.js';
import { wake } from './worker-jobs.js';

// Jest cannot load BullMQ while it is still loading the modules that it shares with Nest.
const { Queue, Worker } = await import('bullmq');

const redis = useRedis((url) => new Redis(url, { maxRetriesPerRequest: null }));
const NAME = 'work';
/** Longer than any test: a worker that overlooks a job would not find it in time by itself. */
const UNWOKEN_SECONDS = 600;

type Job = { readonly id?: string | undefined };

describe('a queue with a worker in the same process', () => {
  const open: { close(): Promise<void> }[] = [];
  let local: LocalWorker;
  let queue: QueueType;
  beforeEach(async () => {
    await redis.flushall();
    await redis.config('RESETSTAT');
    local = new LocalWorker();
    queue = new Queue(NAME, { connection: redis });
    addInTurn(queue.backend, () => local);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await queue.close();
  });

  /** Starts a worker, of this process or another, and resolves when it waits for jobs. */
  async function start(
    process: (job: Job) => Promise<void>,
    reachedBy: LocalWorker | undefined,
    options: Partial<WorkerOptions> = {},
  ): Promise<WorkerType> {
    const { host, port } = redis.options;
    const connection = { host: host!, port: port!, maxRetriesPerRequest: null };
    const usual = { connection, concurrency: 10, drainDelay: UNWOKEN_SECONDS, autorun: false };
    const worker = new Worker(NAME, process, { ...usual, ...options });
    open.push(worker);
    worker.on('error', () => undefined);
    spareTakes(worker, reachedBy);
    const drained = new Promise<void>((resolve) => worker.once('drained', resolve));
    void worker.run();
    await drained;
    await until(async () =>
      (await redis.info('clients')).includes(`blocked_clients:${open.length}`),
    );
    return worker;
  }
  const add = (id: string, turnOf: string | undefined = 'shop', to = queue) => {
    const options = { jobId: id, removeOnComplete: true, turnOf };
    return to.add(NAME, { of: id }, options);
  };
  /** Adds a job as another process does. */
  async function addElsewhere(id: string): Promise<void> {
    const elsewhere = new Queue(NAME, { connection: redis });
    addInTurn(elsewhere.backend);
    await add(id, 'other', elsewhere);
    await elsewhere.close();
  }
  const jobsLeft = () => queue.getJobCountByTypes('active', 'wait', 'prioritized', 'delayed');
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const callsOf = async (command: string) => {
    const stats = await redis.info('commandstats');
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  };
  /** Does its jobs once they are released. */
  function heldWork() {
    const begun: string[] = [];
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const work = async ({ id }: Job) => {
      begun.push(id!);
      await promise;
    };
    return { begun, work, release };
  }

  it('takes another job at once when it is woken because it may have more', async () => {
    const { begun, work, release } = heldWork();
    const worker = await start(work, undefined, { concurrency: 1, stalledInterval: 60_000 });
    await add('one');
    await until(() => begun.length === 1);
    await add('two');
    const checks = await callsOf('smembers');
    worker.concurrency = 2;
    wake(worker);
    await until(() => begun.length === 2);
    // Unlike a pause, it does not search for stalled jobs.
    expect(await callsOf('smembers')).toBe(checks);
    release();
    await until(async () => (await jobsLeft()) === 0);
  });

  it('brings each lone job to it with one command', async () => {
    const done: string[] = [];
    await start(async ({ id }) => void done.push(id!), local);
    const before = await Promise.all([callsOf('evalsha'), callsOf('bzpopmin')]);
    for (let number = 1; number <= 10; number += 1) {
      await add(`lone-${number}`);
      await until(() => done.length === number);
    }
    const [scripts, waits] = await Promise.all([callsOf('evalsha'), callsOf('bzpopmin')]);
    // A slow machine may end one while no job comes.
    expect(scripts - before[0]).toBeLessThanOrEqual(12);
    expect(waits - before[1]).toBe(0);
    await until(async () => (await jobsLeft()) === 0);
    expect(done).toHaveLength(10);
  });

  it('brings it a job also after a wait that began while it had no other job', async () => {
    const done: string[] = [];
    // It ends each job, and looks for the next, before it waits again.
    const work = async ({ id }: Job) => void done.push(id!);
    await start(work, local, { concurrency: 2 });
    for (let number = 1; number <= 30; number += 1) {
      await (number % 3 === 0 ? addElsewhere(`job-${number}`) : add(`job-${number}`));
      await until(() => done.length === number);
    }
  });

  it('keeps the order of jobs that had to wait, such as in a paused queue', async () => {
    const done: string[] = [];
    await queue.pause();
    await add('zero');
    await start(async ({ id }) => void done.push(id!), local);
    await add('first');
    await add('second');
    expect(done).toEqual([]);
    await queue.resume();
    await until(() => done.length === 3);
    expect(done).toEqual(['zero', 'first', 'second']);
    await until(async () => (await jobsLeft()) === 0);
  });

  it('leaves jobs to others while it is busy, paused, or not running', async () => {
    const { begun, work, release } = heldWork();
    const others: string[] = [];
    await start(async ({ id }) => void others.push(id!), undefined);
    await add('not-running');
    await until(() => others.length === 1);
    const worker = await start(work, local, { concurrency: 2 });
    await add('its-own');
    await until(() => begun.length === 1);
    await add('busy');
    await until(() => others.length + begun.length === 3);
    release();
    await worker.pause(true);
    await add('paused');
    await until(() => others.includes('paused') || begun.includes('paused'));
    await until(async () => (await jobsLeft()) === 0);
  });

  it('lets it take jobs of other processes at once, also while it does its own', async () => {
    const { begun, work, release } = heldWork();
    await start(work, local);
    await add('its-own');
    await addElsewhere('other-1');
    await until(() => begun.length === 2);
    await Promise.all([add('its-own-2'), addElsewhere('other-2')]);
    await until(() => begun.length === 4);
    release();
    await until(async () => (await jobsLeft()) === 0);
  });

  it('executes every job once, in two such processes with a worker each', async () => {
    const done: string[] = [];
    const work = async ({ id }: Job) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      done.push(id!);
    };
    const there = new LocalWorker();
    const elsewhere = new Queue(NAME, { connection: redis });
    open.push(elsewhere);
    addInTurn(elsewhere.backend, () => there);
    await redis.config('RESETSTAT');
    const waiting = open.splice(0);
    await start(work, local, { concurrency: 3 });
    await start(work, there, { concurrency: 2 });
    open.push(...waiting);
    const added: string[] = [];
    for (let number = 0; number < 300; number += 1) {
      added.push(`job-${number}`);
      const caller = `caller-${number % 3}`;
      const adding = add(`job-${number}`, caller, number % 2 === 0 ? queue : elsewhere);
      if (number % 5 !== 0) await adding;
      if (number % 11 === 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * 9));
    }
    await until(() => done.length >= added.length);
    expect(done.toSorted()).toEqual(added.toSorted());
    await until(async () => (await jobsLeft()) === 0);
  });

  it('loses no job when the process is killed: another worker does it', async () => {
    const stalling = { lockDuration: 1_000, stalledInterval: 200 };
    const { begun, work } = heldWork();
    const worker = await start(work, local, stalling);
    await add('lost');
    await until(() => begun.length === 1);
    await worker.backend.disconnect();
    void worker.close(true);
    open.splice(0);
    const done: string[] = [];
    await start(async ({ id }) => void done.push(id!), undefined, stalling);
    await until(() => done.length === 1);
    expect(done).toEqual(['lost']);
  });

  it('closes it only after the job that it has just taken', async () => {
    const done: string[] = [];
    const worker = await start(async ({ id }) => void done.push(id!), local);
    const adding = add('last');
    await new Promise((resolve) => setImmediate(resolve));
    await worker.close();
    await adding;
    await until(async () => done.length === 1 || (await queue.getPrioritizedCount()) === 1);
    expect(await queue.getActiveCount()).toBe(0);
  });

  it('tells the caller when Redis refuses the job, and the worker goes on', async () => {
    const done: string[] = [];
    await start(async ({ id }) => void done.push(id!), local);
    await redis.set(queue.toKey('turns'), 'not a hash');
    await expect(add('refused')).rejects.toThrow('WRONGTYPE');
    await redis.del(queue.toKey('turns'));
    await add('accepted');
    await until(() => done.length === 1);
    expect(done).toEqual(['accepted']);
  });
});
