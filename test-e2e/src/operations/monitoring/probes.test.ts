import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { App } from '@forecourt/testing/system';
import {
  buildSponsored,
  call,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../../support/application.js';
import { system } from '../../support/systems/observed-system.js';
import { scrape, sumOf } from './scrape.js';

const SERVICES: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events'];
const ON_REDIS: readonly App[] = ['gateway', 'coin-pool', 'executor'];
/** Longer than the timeout of a dependency check, and of a probe. */
const SLOW_MS = 3_000;

async function statusOf(app: App, path: string): Promise<number> {
  const { status } = await fetch(`${system.services(app)[0]!.url}/health/${path}`);
  return status;
}

async function expectAllReady(): Promise<void> {
  for (const app of SERVICES) expect([app, await statusOf(app, 'ready')]).toEqual([app, 200]);
}

const queryEvents = () => {
  const query = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params: ['All', null, 1] };
  return call({ ...system.application, token: '' }, 'POST', '/rpc', query);
};

describe('the probes', () => {
  afterEach(() => system.control.clearFaults());

  it('keep every replica ready while the node is slow, and transactions execute', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const transaction = await buildSponsored(application, reservation);
    for (const method of ['iota_getChainIdentifier', 'iota_executeTransactionBlock']) {
      await system.control.fault({ kind: 'latency', ms: SLOW_MS, method });
    }
    const startedAt = performance.now();
    await expectAllReady();
    expect(performance.now() - startedAt).toBeLessThan(SLOW_MS);
    // An answer may be a second old.
    for (const app of ON_REDIS) {
      await system.until(async () => (await statusOf(app, 'dependencies')) === 503);
    }
    await expectAllReady();
    expect((await executeTx(application, reservation, transaction)).status).toBe(200);
  });

  it('do not ask the node more often if many clients ask for the dependencies', async () => {
    // By the gateway's own count: the node also counts what the other services ask.
    const callCount = async () =>
      sumOf(
        await scrape(system.services('gateway')[0]!.metricsUrl),
        'forecourt_ledger_calls_total',
        { method: 'getChainIdentifier' },
      );
    await system.until(async () => (await statusOf('gateway', 'dependencies')) === 200);
    const before = await callCount();
    expect(before).toBeGreaterThan(0);
    const startedAt = performance.now();
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, () => statusOf('gateway', 'dependencies')));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    expect((await callCount()) - before).toBeLessThanOrEqual(1 + seconds);
  });

  it('keep every replica ready without Redis: calls get 503 with Retry-After, events are served', async () => {
    const { application } = system;
    await system.stopRedis();
    for (const app of ON_REDIS) {
      await system.until(async () => (await statusOf(app, 'dependencies')) === 503);
    }
    await expectAllReady();
    const refused = await reserveGas(application);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await queryEvents()).toMatchObject({ status: 200, body: { result: { data: [{}] } } });

    // A gateway that starts in the meantime serves as well.
    await system.restart('gateway');
    expect(await queryEvents()).toMatchObject({ status: 200, body: { result: { data: [{}] } } });
    expect((await reserveGas(application)).status).toBe(503);

    await system.startRedis();
    await system.until(async () => (await reserveGas(application, 1, 1)).status === 200);
    expect((await sponsor(application)).answer.status).toBe(200);
    const reload = '/v1/reload_access_controller';
    expect(await call(application, 'GET', reload)).toMatchObject({ status: 200 });
    expect(await statusOf('gateway', 'dependencies')).toBe(200);
  });
});
