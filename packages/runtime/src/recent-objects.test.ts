import {
  type RedisCluster,
  type RedisServer,
  startRedisCluster,
  startRedisServer,
} from '@forecourt/testing/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openRedis, type RedisConnection, type RedisSettings } from './redis/index.js';
import { RecentObjects } from './recent-objects.js';

let server: RedisServer;
let cluster: RedisCluster;
const connections: RedisConnection[] = [];
beforeAll(async () => {
  [server, cluster] = await Promise.all([
    startRedisServer({ appendfsync: 'no' }),
    startRedisCluster(),
  ]);
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await Promise.all([server?.stop(), cluster?.stop()]);
});

function connect(redisMode: 'single' | 'cluster'): RedisConnection {
  const redisUrls = [redisMode === 'single' ? server.url : cluster.masters[0]!.url];
  const settings: RedisSettings = {
    redisMode,
    redisUrls,
    redisSentinelPassword: null,
    redisSentinelMaster: '',
  };
  const redis = openRedis(settings);
  redis.on('error', () => undefined);
  connections.push(redis);
  return redis;
}

const owner = { AddressOwner: '0xuser' };
let made = 0;
const anId = () => `0x${String(++made).padStart(64, '0')}`;
const anObject = (version: number, objectId = anId()) => ({
  objectId,
  version,
  digest: `D${version}`,
  owner: owner as unknown,
});

describe.each(['single', 'cluster'] as const)('recent objects (%s)', (mode) => {
  it('are found by every process, and unknown ones are left out', async () => {
    const [one, two] = [new RecentObjects(connect(mode)), new RecentObjects(connect(mode))];
    const gone = { ...anObject(9), owner: null };
    const objects = [anObject(7), anObject(8), gone];
    await one.record(objects);
    const ids = objects.map(({ objectId }) => objectId);
    const found = await two.read([...ids, anId()]);
    expect([...found.values()]).toEqual(objects);
    expect(await two.read([])).toEqual(new Map());
  });

  it('keep the highest version in any order of records', async () => {
    const recent = new RecentObjects(connect(mode));
    const objectId = anId();
    for (const version of [9, 10, 8]) await recent.record([anObject(version, objectId)]);
    expect((await recent.read([objectId])).get(objectId)!.version).toBe(10);
  });
});

describe('recent objects', () => {
  it('expire after a minute', async () => {
    const redis = connect('single');
    const object = anObject(7);
    await new RecentObjects(redis).record([object]);
    const [key] = await redis.keys(`*${object.objectId}`);
    const leftMs = await redis.pttl(key!);
    expect(leftMs).toBeGreaterThan(55_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  it('are unknown when another release has written another format', async () => {
    const redis = connect('single');
    const object = anObject(7);
    const recent = new RecentObjects(redis);
    await recent.record([object]);
    const [key] = await redis.keys(`*${object.objectId}`);
    for (const text of ['', '7', '7 D {', '{"version":7}']) {
      await redis.set(key!, text);
      expect((await recent.read([object.objectId])).size).toBe(0);
    }
  });

  it('are found at once by later commands to the same Redis', async () => {
    const recent = new RecentObjects(connect('single'));
    const object = anObject(7);
    const recording = recent.record([object]);
    expect((await recent.read([object.objectId])).size).toBe(1);
    await recording;
  });
});
