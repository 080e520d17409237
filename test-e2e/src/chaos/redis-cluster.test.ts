import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { createSponsorKey } from '@forecourt/testing/system';
import { startRedisCluster } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import {
  buildSponsored,
  call,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { useSystem } from '../support/use-system.js';

const CLIENTS = 8;
const TRANSACTIONS = 80;

const cluster = useStarted(startRedisCluster, (running) => running.stop());
const key = createSponsorKey();
const system = useSystem(() => ({
  gateways: 2,
  coinPools: 1,
  executors: 1,
  sponsor: key,
  sponsorSecrets: [key.secret, createSponsorKey().secret, createSponsorKey().secret],
  redis: { url: cluster.masters.map(({ url }) => url).join(',') },
  env: { REDIS_MODE: 'cluster' },
}));

/** Number of masters that have matching keys. */
async function mastersWith(pattern: string): Promise<number> {
  let found = 0;
  for (const { url } of cluster.masters) {
    const master = new Redis(url);
    if ((await master.keys(pattern)).length > 0) found += 1;
    master.disconnect();
  }
  return found;
}

describe('every service on a Redis Cluster', () => {
  it(`sponsors ${TRANSACTIONS} transactions of ${CLIENTS} clients, and the audit is exact`, async () => {
    const before = await system.settledTotals();
    let started = 0;
    const client = async (number: number) => {
      while (started++ < TRANSACTIONS) {
        const { answer } = await sponsor(system.applications[number % 2]!);
        expect([answer.status, answer.body.error]).toEqual([200, null]);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    expect((await system.settledTotals()).coins).toBe(before.coins);
    expect(await system.audit()).toMatchObject({ exitCode: 0 });
  });

  it('keeps a pool on one master, and the queue on one', async () => {
    expect(await mastersWith(`fc:{${system.sponsor}}:*`)).toBe(1);
    expect(await mastersWith('*bull*')).toBe(1);
    expect(await mastersWith('fc:sponsors')).toBe(1);
  });

  it('reaches every gateway with a reload, and every service reaches its dependencies', async () => {
    const path = '/v1/reload_access_controller';
    expect(await call(system.application, 'GET', path)).toMatchObject({ status: 200 });
    for (const app of ['gateway', 'coin-pool', 'executor'] as const) {
      for (const { url } of system.services(app)) {
        const { status } = await fetch(`${url}/health/dependencies`);
        expect([app, status]).toEqual([app, 200]);
      }
    }
  });

  it('answers 503 soon while the pool’s master hangs, and recovers when it is back', async () => {
    const slotOwner = async () => {
      for (const [index, { url }] of cluster.masters.entries()) {
        const master = new Redis(url);
        const [key] = await master.keys(`fc:{${system.sponsor}}:totals`);
        master.disconnect();
        if (key) return index;
      }
      throw new Error('no master holds the pool');
    };
    const master = cluster.masters[await slotOwner()]!;
    master.kill('SIGSTOP');
    const startedAt = Date.now();
    try {
      expect((await reserveGas(system.application)).status).toBe(503);
      expect(Date.now() - startedAt).toBeLessThan(20_000);
    } finally {
      master.kill('SIGCONT');
    }
    await system.until(async () => (await reserveGas(system.application, 1, 1)).status === 200);
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation);
    // The executor may find the new master later than the others; until then the call is repeated.
    const execute = () => executeTx(system.application, reservation, transaction);
    await system.until(async () => (await execute()).status === 200);
    await system.settledTotals();
    await system.until(async () => (await system.audit()).exitCode === 0);
  });
});
