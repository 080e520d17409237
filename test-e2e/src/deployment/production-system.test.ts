import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CoinStoreRedis, prepareCoinStore, readPoolTotals } from '@forecourt/coin-store';
import {
  type DevnetControl,
  devnetControl,
  type ServiceProcess,
  waitUntil,
} from '@forecourt/testing/system';
import { IotaClient } from '@iota/iota-sdk/client';
import { Redis } from 'ioredis';
import { type Application, buildSponsored, executeTx, reserved } from '../support/application.js';
import { scrape, sumOf } from '../operations/monitoring/scrape.js';
import { type ProductionSystem, startProductionSystem } from './production-system.js';

const EXECUTE = 'iota_executeTransactionBlock';
const CLIENTS = 24;
const TRANSACTIONS = 240;
/** Longer than the metrics may lag behind, which tell that a submission is under way. */
const LATENCY_MS = 1_500;

let system: ProductionSystem;
let redis: CoinStoreRedis;
let control: DevnetControl;
let application: Application;
const services: ServiceProcess[] = [];
const executors: ServiceProcess[] = [];

beforeAll(async () => {
  system = await startProductionSystem();
  redis = prepareCoinStore(new Redis(system.redisUrl));
  control = devnetControl(system.controlUrl);
  for (const app of ['coin-pool', 'events', 'gateway'] as const) {
    services.push(await system.start(app));
  }
  const [ledger, url] = [new IotaClient({ url: system.ledgerUrl }), services.at(-1)!.url];
  application = { url, token: system.token, ledger };
  await waitUntil(async () => (await totals()).coins.available >= 500n);
});
afterAll(async () => {
  redis?.disconnect();
  await system?.stop();
});

const totals = () => readPoolTotals(redis, system.sponsor);

/** The Redis key that a trigger of the ScaledObject reads. */
function listOf(trigger: string): string {
  const scaled = system.objects.find(({ kind }) => kind === 'ScaledObject')!;
  const { triggers } = scaled['spec'] as unknown as {
    triggers: { name: string; metadata: { listName: string } }[];
  };
  return triggers.find(({ name }) => name === trigger)!.metadata.listName;
}

/**
 * Number of transactions that wait for an executor, in jobs of one transaction and in jobs that several
 * share.
 */
async function waitingTransactions(): Promise<number> {
  const shared = await redis.hvals(listOf('shared'));
  const jobs = await redis.zcard(listOf('waiting'));
  return jobs - new Set(shared).size + shared.length;
}

/** Number of transactions that an executor has signed and whose submission has no answer yet. */
async function submissionsUnderway(executor: ServiceProcess): Promise<number> {
  const exposition = await scrape(executor.metricsUrl);
  const count = (step: string) =>
    sumOf(exposition, 'forecourt_execution_step_duration_seconds_count', { step });
  return count('sign') - count('submit');
}

/**
 * Sponsors a transaction from reservation to effects; throws unless the status is 200 and the effects are its
 * own.
 */
async function sponsored(): Promise<string> {
  const reservation = await reserved(application);
  const transaction = await buildSponsored(application, reservation);
  const { status, body } = await executeTx(application, reservation, transaction);
  expect([status, body.error, body.effects?.status]).toEqual([200, null, { status: 'success' }]);
  expect(body.effects!['transactionDigest']).toBe(transaction.digest);
  return transaction.digest;
}

describe('the system in the manifests of production', () => {
  it('keeps waiting transactions in the lists that scale executors, until an executor runs', async () => {
    const waiting = [sponsored(), sponsored(), sponsored()];
    await waitUntil(async () => (await waitingTransactions()) === waiting.length);
    executors.push(await system.start('executor'));
    expect(new Set(await Promise.all(waiting)).size).toBe(waiting.length);
    await waitUntil(async () => (await redis.exists(listOf('waiting'), listOf('shared'))) === 0);
  });

  it('answers every probe where the manifests send it', async () => {
    for (let replica = 1; replica < 3; replica++) executors.push(await system.start('executor'));
    for (const service of [...services, ...executors]) {
      const { startupProbe, livenessProbe, readinessProbe } = system.workload(
        service.app,
      ).container;
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        const answer = await fetch(`${service.url}${probe!.httpGet!.path}`);
        expect([service.name, probe!.httpGet!.path, answer.status]).toEqual([
          service.name,
          probe!.httpGet!.path,
          200,
        ]);
      }
    }
  });

  it('loses nothing when an executor is stopped under load', async () => {
    await control.fault({ kind: 'latency', ms: LATENCY_MS, method: EXECUTE });
    const digests: string[] = [];
    let started = 0;
    const client = async () => {
      while (started++ < TRANSACTIONS) digests.push(await sponsored());
    };
    const load = Promise.all(Array.from({ length: CLIENTS }, client));
    const [leaving] = executors as [ServiceProcess];
    const stopped = (async () => {
      await waitUntil(async () => digests.length > TRANSACTIONS / 3);
      await waitUntil(async () => (await submissionsUnderway(leaving)) > 0);
      const askedAt = performance.now();
      leaving.kill('SIGTERM');
      const exitCode = await leaving.exited();
      return { exitCode, ms: performance.now() - askedAt, done: digests.length };
    })();
    await Promise.all([load, stopped]);

    const { exitCode, ms, done } = await stopped;
    expect(exitCode).toBe(0);
    expect(ms).toBeLessThan(system.workload('executor').pod.terminationGracePeriodSeconds! * 1_000);
    expect(done).toBeLessThan(TRANSACTIONS);
    const afterwards = (await leaving.log()).split('"msg":"Service stopping"')[1]!;
    expect(afterwards).toContain('"outcome":"executed"');

    expect(new Set(digests).size).toBe(TRANSACTIONS);
    for (const digest of digests) expect(await control.submissionsOf(digest)).toBe(1);
    await waitUntil(async () => {
      const { coins } = await totals();
      return coins.claimed + coins.executing + coins.maintenance === 0n;
    });
    expect(await system.audit()).toMatchObject({ exitCode: 0 });
  });
});
