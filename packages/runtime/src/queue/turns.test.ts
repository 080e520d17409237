import type { Queue } from 'bullmq';
import { partial, useRedis } from '@forecourt/testing/jest';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Turns } from './turns.js';

const redis = useRedis((url) => new Redis(url));
const queue = partial<Queue>({ toKey: (type: string) => `queue:${type}` });

describe('the turns of callers', () => {
  beforeEach(() => redis.flushall());

  async function takeOneByOne(turns: Turns, callers: readonly string[]): Promise<number[]> {
    const taken: number[] = [];
    for (const caller of callers) taken.push(await turns.take(caller));
    return taken;
  }
  const callsOfScript = async () => {
    const [, calls] = /cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats')) ?? [];
    return Number(calls ?? 0);
  };
  const times = (count: number, caller: string) => Array<string>(count).fill(caller);

  it('are taken several at once by a caller that is alone, and ascend', async () => {
    const turns = new Turns(redis, queue);
    await takeOneByOne(turns, times(8, 'alone'));
    const before = await callsOfScript();
    const taken = await takeOneByOne(turns, times(80, 'alone'));
    expect((await callsOfScript()) - before).toBe(10);
    expect(taken).toEqual(taken.toSorted((a, b) => a - b));
    expect(new Set(taken).size).toBe(80);
  });

  it('are taken one by one while callers compete', async () => {
    const turns = new Turns(redis, queue);
    await redis.zadd(queue.toKey('prioritized'), 2 ** 32, 'waiting');
    const taken = await takeOneByOne(
      turns,
      times(10, 'one').flatMap((one) => [one, 'other']),
    );
    expect(taken).toEqual(Array.from({ length: 10 }, (_, index) => [index + 1, index + 1]).flat());
  });

  it('are at most seven behind those that a lone caller has taken and not used', async () => {
    const alone = new Turns(redis, queue);
    const used = await takeOneByOne(alone, times(17, 'alone'));
    const [others] = await takeOneByOne(new Turns(redis, queue), ['other']);
    expect(others! - used.at(-1)!).toBeLessThanOrEqual(7);
    await takeOneByOne(alone, ['other']);
    const [next] = await takeOneByOne(alone, ['alone']);
    expect(next).toBeGreaterThan(others!);
  });
});
