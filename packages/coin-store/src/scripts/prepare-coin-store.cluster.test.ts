import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RedisCluster, startRedisCluster } from '@forecourt/testing/redis';
import { Cluster, type Redis } from 'ioredis';
import { randomAddress, reserve } from '../pool.test-support.js';
import { listSponsors, sponsorIndexOf } from '../pool/sponsor-registry.js';
import type { CoinStoreRedis } from './run-script.js';
import { prepareCoinStore } from './prepare-coin-store.js';
import { everyScript, runEveryScript } from './run-every-script.test-support.js';

let cluster: RedisCluster;
let redis: CoinStoreRedis & Cluster;
const ran = new Set<string>();

beforeAll(async () => {
  cluster = await startRedisCluster();
  const nodes = cluster.masters.map(({ port }) => ({ host: '127.0.0.1', port }));
  redis = prepareCoinStore(new Cluster(nodes)) as CoinStoreRedis & Cluster;
  for (const name of everyScript) {
    const command = `coinStore:${name}` as const;
    const run = redis[command]!.bind(redis);
    redis[command] = (...args) => {
      ran.add(name);
      return run(...args);
    };
  }
});
afterAll(async () => {
  redis?.disconnect();
  await cluster?.stop();
});

/** The master whose slots hold a sponsor's pool. */
async function masterOf(sponsor: string): Promise<Redis> {
  const holding = await Promise.all(
    redis.nodes('master').map(async (node) => {
      const keys = await node.keys(`fc:{${sponsor}}:*`);
      return keys.length > 0 ? node : null;
    }),
  );
  const found = holding.filter((node) => node !== null);
  if (found.length !== 1) throw new Error(`the pool is on ${found.length} masters`);
  return found[0]!;
}

describe('the coin store on a Redis Cluster of three masters', () => {
  it('runs every script on pools of every master, each pool on one of them', async () => {
    const sponsors: string[] = [];
    const masters = new Set<Redis>();
    while (masters.size < cluster.masters.length) {
      const sponsor = randomAddress();
      sponsors.push(sponsor);
      await runEveryScript(redis, sponsor);
      masters.add(await masterOf(sponsor));
    }
    expect([...ran].toSorted()).toEqual(everyScript.toSorted());
    const listed = await listSponsors(redis);
    expect([...listed.values()].toSorted()).toEqual(sponsors.toSorted());
    const { reservationId } = await reserve(redis, sponsors[1]!);
    expect(listed.get(sponsorIndexOf(reservationId))).toBe(sponsors[1]);
  });
});
