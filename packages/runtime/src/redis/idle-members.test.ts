import { useRedis } from '@forecourt/testing/jest';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { removeIdleMembers } from './index.js';

const redis = useRedis((url) => new Redis(url));
const STREAM = 'entries';
const GROUP = 'readers';

async function members(): Promise<unknown[]> {
  const found = (await redis.xinfo('CONSUMERS', STREAM, GROUP)) as unknown[][];
  return found.map(([, name, , pending]) => [name, pending]);
}

describe('removeIdleMembers', () => {
  it('removes members that do not read, but none with a pending entry', async () => {
    await redis.xgroup('CREATE', STREAM, GROUP, '0', 'MKSTREAM');
    await redis.xadd(STREAM, '*', 'a', '1');
    await redis.xreadgroup('GROUP', GROUP, 'busy', 'STREAMS', STREAM, '>');
    for (const name of ['idle', 'gone']) await redis.xgroup('CREATECONSUMER', STREAM, GROUP, name);
    await removeIdleMembers(redis, STREAM, GROUP, 60_000);
    expect(await members()).toEqual([
      ['busy', 1],
      ['gone', 0],
      ['idle', 0],
    ]);
    await removeIdleMembers(redis, STREAM, GROUP, 0);
    expect(await members()).toEqual([['busy', 1]]);
  });
});
