import { describe, expect, it } from '@jest/globals';
import {
  BATCH_JOB_VERSION,
  claimsOfJob,
  EXECUTE_TRANSACTION_QUEUE,
  type ExecutionJob,
  JOB_VERSION,
} from '@forecourt/contracts';
import { partial, useStarted } from '@forecourt/testing/jest';
import { startRedisServer } from '@forecourt/testing/redis';
import type { Logger } from '@forecourt/runtime/service';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { Queue, Worker } = await import('bullmq');
const { ClaimJobs } = await import('@forecourt/runtime/queue');
const { ExecutionJobs } = await import('./execution-jobs.js');

const LOG = partial<Logger>({ debug: () => undefined });
const SUBJECT = { caller: 'shop', reservationId: 64, digest: 'D' };
const TERMS = { sponsor: '0x5', fence: 2 };

const started = useStarted(
  async () => {
    const server = await startRedisServer({ appendfsync: 'no' });
    const connection = { url: server.url, maxRetriesPerRequest: null };
    const queue = new Queue<ExecutionJob>(EXECUTE_TRANSACTION_QUEUE, { connection });
    const redis = new Redis(server.url);
    const claimJobs = new ClaimJobs(queue);
    const jobs = new ExecutionJobs(claimJobs, LOG);
    return { server, connection, queue, redis, claimJobs, jobs };
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
    await jobs.add({ ...SUBJECT, requestId: 'r-1', traceparent }, TERMS);
    await jobs.addAgain(SUBJECT, TERMS);
    const [job, ...others] = await queue.getJobs();
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      id: 'D-64-2',
      data: {
        version: JOB_VERSION,
        sponsor: '0x5',
        reservationId: 64,
        digest: 'D',
        fence: 2,
        requestId: 'r-1',
      },
      opts: {
        removeOnComplete: true,
        removeOnFail: true,
        priority: 1,
        telemetry: { metadata: JSON.stringify({ traceparent }) },
      },
    });
    await job!.remove();
  });

  it('has an unknown outcome when the queue does not take it: the call may be repeated', async () => {
    const cause = new Error('connection lost');
    const down = () => Promise.reject(cause);
    const silent = partial<ConstructorParameters<typeof ExecutionJobs>[0]>({
      add: down,
      addShared: down,
    });
    const jobs = new ExecutionJobs(silent, LOG);
    await expect(jobs.add(SUBJECT, TERMS)).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      retryAfterSecs: 2,
      cause,
    });
  });
});

describe('claims that are enqueued at the same time', () => {
  const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  const remove = async (job: Job<ExecutionJob>) => {
    await job.remove();
    await started.claimJobs.leaveShared(claimsOfJob(job.data));
  };

  /** Adds them; returns the digests of each job, in the order of their turns. */
  async function added(subjects: readonly { caller: string; digest: string; sponsor?: string }[]) {
    const { jobs, queue } = started;
    const add = ({ sponsor = '0x5', ...subject }: (typeof subjects)[number], index: number) =>
      jobs.add({ reservationId: index + 1, ...subject }, { fence: 1, sponsor });
    await Promise.all(subjects.map(add));
    const found = await queue.getJobs(['prioritized'], 0, -1, true);
    await Promise.all(found.map(remove));
    return found.map(({ data }) => claimsOfJob(data).map(({ digest }) => digest));
  }
  const of = (caller: string, ...digests: readonly string[]) =>
    digests.map((digest) => ({ caller, digest }));

  it('share a job with its own version, if their token is the same', async () => {
    const subjects = [...of('shop', 'A'), ...of('other', 'X'), ...of('shop:0x1', 'B')];
    expect((await added(subjects)).toSorted()).toEqual([['A', 'B'], ['X']]);
    const { jobs, queue } = started;
    const add = (digest: string) => jobs.add({ ...SUBJECT, digest }, TERMS);
    await Promise.all([add('A'), add('B')]);
    const [job] = await queue.getJobs(['prioritized']);
    expect(job).toMatchObject({
      id: 'A-64-2-2',
      data: {
        version: BATCH_JOB_VERSION,
        sponsor: '0x5',
        claims: [
          { reservationId: 64, digest: 'A', fence: 2 },
          { reservationId: 64, digest: 'B', fence: 2 },
        ],
      },
      opts: { removeOnComplete: true, removeOnFail: true, priority: 4 },
    });
    await remove(job!);
  });

  it('share no job with those of another sponsor, and none with more than twenty', async () => {
    const digests = Array.from({ length: 22 }, (_, index) => `D${index}`);
    const elsewhere = { caller: 'shop', digest: 'E', sponsor: '0x6' };
    const jobs = await added([...of('shop', ...digests), elsewhere]);
    expect(jobs.map((one) => one.length).toSorted()).toEqual([1, 2, 20].toSorted());
  });

  it('have a job alone where their trace is recorded: a job belongs to one trace', async () => {
    const traced = { caller: 'shop', digest: 'T', traceparent: SAMPLED };
    const jobs = await added([...of('shop', 'A'), traced, ...of('shop', 'B')]);
    expect(jobs.toSorted()).toEqual([['A', 'B'], ['T']].toSorted());
  });

  it('are found in the job they share, and get no other while it is there', async () => {
    const { claimJobs, jobs, queue, redis } = started;
    const claim = (digest: string) => ({ ...SUBJECT, digest, fence: TERMS.fence });
    const add = (digest: string) => jobs.add(claim(digest), TERMS);
    await Promise.all([add('A'), add('B')]);
    await jobs.addAgain(claim('B'), TERMS);
    const all = await queue.getJobs();
    expect(all.map(({ id }) => id)).toEqual(['A-64-2-2']);
    expect((await claimJobs.find(claim('B')))?.id).toBe('A-64-2-2');
    expect(await claimJobs.find(claim('C'))).toBeUndefined();
    expect((await claimJobs.listClaims()).map(({ digest }) => digest)).toEqual(['A', 'B']);

    // The shared job is lost.
    await all[0]!.remove();
    expect(await claimJobs.find(claim('B'))).toBeUndefined();
    await jobs.addAgain(claim('B'), TERMS);
    expect((await claimJobs.find(claim('B')))?.id).toBe('B-64-2');
    // Autoscalers read the number of claims that share a job.
    expect(await redis.hkeys(queue.toKey('shared'))).toEqual(['A-64-2']);
    await claimJobs.leaveShared([claim('A'), claim('B')]);
    expect(await redis.exists(queue.toKey('shared'))).toBe(0);
    await queue.remove('B-64-2');
  });
});

describe('the jobs of several callers', () => {
  async function add(caller: string, number: number): Promise<void> {
    const { jobs } = started;
    const subject = {
      caller,
      reservationId: number,
      digest: `${caller.replace(':', '+')}/${number}`,
    };
    await jobs.add(subject, TERMS);
  }
  const addAll = (caller: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, number) => add(caller, number + 1)));

  /** Executes everything that waits; the caller of each job, in that order. */
  async function order(): Promise<string[]> {
    const callers: string[] = [];
    const { connection, queue } = started;
    const worker = new Worker(
      EXECUTE_TRANSACTION_QUEUE,
      async ({ data }: Job<ExecutionJob>) => {
        callers.push(claimsOfJob(data)[0]!.digest.split('/')[0]!);
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
    await add('other', 4);
    const callers = await order();
    // Each job of the busy caller has twenty claims, and the later ones as many turns more.
    expect(callers).toEqual(['busy', 'other', 'third', 'other', ...Array<string>(12).fill('busy')]);
  });

  it('do not count against their caller any more once they are executed', async () => {
    await addAll('frequent', 20);
    await order();
    await addAll('busy', 60);
    await add('frequent', 1);
    expect(await order()).toEqual(['busy', 'frequent', 'busy', 'busy']);
  });

  it('count the users of a token as one caller', async () => {
    for (const caller of ['shop', 'shop:0x1', 'shop:0x2', 'other']) await add(caller, 1);
    expect(await order()).toEqual(['shop', 'other', 'shop+0x1', 'shop+0x2']);
  });
});
