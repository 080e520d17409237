import type { Writable } from 'node:stream';
import { useRedis } from '@forecourt/testing/jest';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { writeTogether } from './write-together.js';

const redis = useRedis((url) => writeTogether(new Redis(url)));

/** Counts the writes of a stream to the operating system. */
function countWrites(stream: Writable): { count: number } {
  const writes = { count: 0 };
  for (const name of ['_write', '_writev'] as const) {
    const write = stream[name]!.bind(stream) as (...content: unknown[]) => void;
    stream[name] = (...content: unknown[]) => {
      writes.count += 1;
      write(...content);
    };
  }
  return writes;
}

describe('commands of one tick', () => {
  it('leave in one write, whichever microtask sends them', async () => {
    await redis.ping();
    const writes = countWrites(redis.stream);
    const later = async (ticks: number) => {
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      return redis.incr('count');
    };
    const counts = await Promise.all(Array.from({ length: 10 }, (_, index) => later(index)));
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(writes.count).toBe(1);
  });

  it('leave at once when they are lone, and after an outage', async () => {
    await redis.ping();
    const writes = countWrites(redis.stream);
    await redis.set('one', '1');
    await redis.set('two', '2');
    expect(writes.count).toBe(2);
    redis.stream.destroy();
    expect(await redis.mget('one', 'two')).toEqual(['1', '2']);
  });

  it('leave together as a pipeline, and as a script', async () => {
    await redis.ping();
    const writes = countWrites(redis.stream);
    const [piped, number] = await Promise.all([
      redis.pipeline().set('a', '1').get('a').exec(),
      redis.eval('return 7', 0),
    ]);
    expect(piped).toEqual([
      [null, 'OK'],
      [null, '1'],
    ]);
    expect(number).toBe(7);
    expect(writes.count).toBe(1);
  });
});
