import { useRedis } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queue as QueueType } from 'bullmq';
import { Redis } from 'ioredis';
import { addInTurn } from './add-in-turn.js';

// Jest cannot load BullMQ while it is still loading the modules that it shares with Nest.
const { Queue } = await import('bullmq');

const redis = useRedis((url) => new Redis(url, { maxRetriesPerRequest: null }));
const NAME = 'work';
const MOST = 2 ** 21 - 1;

describe('a job that takes the turn of its caller', () => {
  let queue: QueueType;
  beforeEach(async () => {
    await redis.flushall();
    queue = new Queue(NAME, { connection: redis });
    addInTurn(queue.backend);
  });
  afterEach(() => queue.close());

  /** Adds a job with so many claims, and reads its turn. */
  async function add(turnOf: string, id: string, claims = 1): Promise<number> {
    const jobId = claims === 1 ? `${id}-1-1` : `${id}-1-1-${claims}`;
    const options = { jobId, turnOf };
    await queue.add(NAME, { of: turnOf }, options);
    return (await queue.getJob(jobId))!.opts.priority!;
  }
  const stored = (id: string) => redis.hgetall(queue.toKey(id));

  it('is stored as BullMQ stores a job with a priority, and read alike', async () => {
    const options = {
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      timestamp: 1_700_000_000_000,
      telemetry: { metadata: '{"traceparent":"00-1-2-01"}' },
    };
    const turnOf = { turnOf: 'shop' };
    await queue.add(NAME, { text: 'ä "b"' }, { ...options, jobId: 'ours', ...turnOf });
    await queue.add(NAME, { text: 'ä "b"' }, { ...options, jobId: 'theirs', priority: 1 });
    const [ours, theirs] = await Promise.all([stored('ours'), stored('theirs')]);
    expect(Object.keys(ours).toSorted()).toEqual(Object.keys(theirs).toSorted());
    const { opts, ...fields } = ours;
    expect(theirs).toMatchObject(fields);
    expect({ ...JSON.parse(opts!), jobId: 'theirs', attempts: 9.007199254741e15 }).toEqual(
      JSON.parse(theirs['opts']!),
    );
    const waiting = await redis.zrange(queue.toKey('prioritized'), '0', '-1', 'WITHSCORES');
    expect(waiting).toEqual(['ours', String(2 ** 32 + 1), 'theirs', String(2 ** 32 + 2)]);
    expect(await redis.zrange(queue.toKey('marker'), '0', '-1')).toEqual(['0']);
  });

  it('is added once, and takes no turn when it is added again', async () => {
    await add('shop', 'A');
    expect(await add('shop', 'A')).toBe(1);
    expect(await queue.getJobCountByTypes('prioritized')).toBe(1);
    expect(await add('shop', 'B')).toBe(2);
  });

  it('comes after those of its caller, and in turn with those of others', async () => {
    const turns: number[] = [];
    for (const id of ['A', 'B', 'C'])
      turns.push(await add('one', id), await add('other', `${id}2`));
    expect(turns).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('lets the next one of its caller wait for as many turns as it has claims', async () => {
    const turns = [await add('busy', 'A', 20), await add('busy', 'B', 3), await add('busy', 'C')];
    expect(turns).toEqual([1, 21, 24]);
    expect(await add('other', 'D')).toBe(1);
  });

  it('is not earlier than the jobs that wait, nor than the last turn when none waits', async () => {
    await redis.zadd(queue.toKey('prioritized'), 70 * 2 ** 32 + 5, 'waiting');
    expect(await add('late', 'A')).toBe(70);
    await redis.del(queue.toKey('prioritized'));
    expect(await add('new', 'B')).toBe(70);
  });

  it('has the last turn when turns are used up, and the first one when no job waits then', async () => {
    await redis.zadd(queue.toKey('prioritized'), (MOST - 1) * 2 ** 32, 'waiting');
    expect([await add('new', 'A'), await add('new', 'B', 9), await add('new', 'C')]).toEqual([
      MOST - 1,
      MOST,
      MOST,
    ]);
    await redis.del(queue.toKey('prioritized'));
    expect(await add('new', 'D')).toBe(1);
  });

  it('leaves together with those of other callers that are added at the same time', async () => {
    await add('shop', 'first');
    const { stream } = redis;
    let writes = 0;
    for (const name of ['_write', '_writev'] as const) {
      const write = stream[name]!.bind(stream) as (...content: unknown[]) => void;
      stream[name] = (...content: unknown[]) => {
        writes += 1;
        write(...content);
      };
    }
    const callers = ['one', 'two', 'three', 'four'];
    const addOne = (turnOf: string) => {
      const options = { jobId: turnOf, turnOf };
      return queue.add(NAME, {}, options);
    };
    await Promise.all(callers.map(addOne));
    expect(writes).toBe(1);
    expect(await queue.getPrioritizedCount()).toBe(5);
  });

  it('leaves jobs without a caller to BullMQ', async () => {
    await queue.add(NAME, {}, { jobId: 'retry', priority: 4, turnOf: undefined } as object);
    await queue.add(NAME, {}, { jobId: 'later', delay: 60_000 });
    expect(await queue.getJobCounts('prioritized', 'delayed')).toEqual({
      prioritized: 1,
      delayed: 1,
    });
  });
});
