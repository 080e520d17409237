import { useStarted } from '@forecourt/testing/jest';
import { startRedisSentinels } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { call, reserveGas, sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { LedgerScan } from './ledger-scan.js';

const sentinels = useStarted(startRedisSentinels, (running) => running.stop());
const system = useSystem(() => ({
  history: 1,
  redis: { url: sentinels.urls.join(',') },
  // Also determines how long the pool is suspended after the failover.
  env: { REDIS_MODE: 'sentinel', LEDGER_TIMEOUT_MS: '2000' },
}));

interface Listed {
  readonly digest: string;
  readonly rebuilt: string | null;
}

async function read<T>(path: string): Promise<T> {
  const { status, body } = await call(system.application, 'GET', path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return body.result as unknown as T;
}
const records = async () =>
  (await read<{ data: Listed[] }>('/v1/sponsorships?status=executed&limit=1000')).data;
const usage = () => read<{ total: { gas: string } }>('/v1/usage?group_by=token&from=0');

async function sponsorSome(count: number): Promise<string[]> {
  const done = Array.from({ length: count }, async () => {
    const { answer, transaction } = await sponsor(system.application);
    expect(answer.status).toBe(200);
    return transaction.digest;
  });
  return Promise.all(done);
}

/** The replica gets no more writes: it cannot log in. Connections of others stay. */
async function holdReplicaBack(): Promise<void> {
  const master = new Redis(sentinels.master.url);
  await master.config('SET', 'requirepass', 'unknown to the replica');
  expect(await master.call('CLIENT', 'KILL', 'TYPE', 'replica')).toBeGreaterThan(0);
  master.disconnect();
}

describe('a failover to a replica that lags', () => {
  it('leaves usage, records and totals as the ledger has them', async () => {
    const before = await sponsorSome(10);
    const master = new Redis(sentinels.master.url);
    expect(await master.wait(1, 10_000)).toBe(1);
    master.disconnect();
    const [history] = system.services('history');
    await history!.stop();
    await holdReplicaBack();
    const lost = await sponsorSome(15);
    await sentinels.master.stop('SIGKILL');
    await system.until(async () => (await reserveGas(system.application, 1_000, 1)).status === 200);
    await history!.start();
    const after = await sponsorSome(5);

    await system.control.untilShown();
    const scan = new LedgerScan(system.ledger, system.sponsor);
    await scan.readOn();
    const sponsored = scan.gasCharged - scan.own.reduce((sum, { gas }) => sum + gas, 0n);
    await system.until(async () => (await usage()).total.gas === String(sponsored));
    const found = await records();
    const all = [...before, ...lost, ...after];
    expect(found.map(({ digest }) => digest).toSorted()).toEqual(all.toSorted());
    const rebuilt = found.filter((one) => one.rebuilt === 'redis_lost_writes');
    expect(rebuilt.map(({ digest }) => digest).toSorted()).toEqual(lost.toSorted());
    await system.until(async () => (await system.totals()).gasCharged === scan.gasCharged);
    expect(await system.audit()).toMatchObject({ exitCode: 0 });
  });
});
