import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { App, ServiceProcess } from '@forecourt/testing/system';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import { Balancer } from '../support/balancer.js';
import { EventsSocket } from '../support/events-socket.js';
import { startSteadyLoad } from '../support/steady-load.js';
import { useSystem } from '../support/use-system.js';

const DRAIN_MS = 1_500;
/** Time that a service may need in addition, on a busy machine. */
const DEADLINE_MS = DRAIN_MS + 20_000;
const APPS: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events'];

const test = useSystem({
  gateways: 2,
  coinPools: 2,
  executors: 2,
  events: 2,
  env: { SHUTDOWN_DRAIN_MS: String(DRAIN_MS) },
});
afterEach(() => test.control.clearFaults());

const probe = (service: ServiceProcess, path: string) => fetch(`${service.url}/health/${path}`);

/** Sends SIGTERM; returns the exit code and the duration. */
async function endGently(service: ServiceProcess): Promise<{ code: number | null; ms: number }> {
  const before = performance.now();
  service.kill('SIGTERM');
  return { code: await service.exited(), ms: performance.now() - before };
}

/**
 * Whether a stopping service continues to serve while it is not ready, and sends clients to other replicas.
 */
async function seeDraining(service: ServiceProcess): Promise<void> {
  await test.until(async () => (await probe(service, 'ready')).status === 503);
  const live = await probe(service, 'live');
  expect([live.status, live.headers.get('connection')]).toEqual([200, 'close']);
}

describe('a rolling restart', () => {
  it('loses nothing under load, and every process ends without SIGKILL', async () => {
    // Long enough that transactions are in flight whenever a process is stopped.
    await test.control.fault({ kind: 'latency', ms: 150, method: 'iota_executeTransactionBlock' });
    const balancer = new Balancer(test.applications);
    const load = startSteadyLoad(balancer, 3);
    for (const service of APPS.flatMap((app) => test.services(app))) {
      const [end] = await Promise.all([
        endGently(service),
        // Executors get no requests from clients.
        service.app === 'executor' ? null : seeDraining(service),
      ]);
      expect([service.name, end.code]).toEqual([service.name, 0]);
      expect(end.ms).toBeLessThan(DEADLINE_MS);
      await service.start();
    }
    const seen = await load.stop();
    await balancer.stop();
    expect(seen.failures).toEqual([]);
    expect(seen.executed.length).toBeGreaterThan(50);
    expect(seen.pages).toBeGreaterThan(50);
    expect(seen.repeated).toBe(seen.executed.length);
    const digests = seen.executed.map(({ transaction }) => transaction.digest);
    expect(new Set(digests).size).toBe(digests.length);
    const landed = await test.ledger.multiGetTransactionBlocks({ digests: digests.slice(0, 50) });
    expect(landed.map(({ digest }) => digest)).toEqual(digests.slice(0, 50));
    await test.control.clearFaults();
    await test.settledTotals();
    expect(await test.differences()).toEqual([]);
    process.stderr.write(
      `rolling restart: ${seen.executed.length} transactions and ${seen.pages} pages answered; ` +
        `${seen.refused} found no listener, asked to wait: ${JSON.stringify(seen.requests)}\n`,
    );
  });
});

describe('a service that is stopping', () => {
  it('notifies the subscribers of events', async () => {
    const [events] = test.services('events');
    const socket = await EventsSocket.open(events!.url);
    await socket.subscribe({ EventType: 'MoveEvent' });
    expect((await endGently(events!)).code).toBe(0);
    expect(await socket.next()).toMatchObject({ params: { error: { code: -32011 } } });
    expect((await socket.closed).code).toBe(1001);
  });

  it('ends in time if a transaction takes longer: another executor continues, and the caller gets the outcome', async () => {
    const [first, second] = test.applications;
    const reservation = await reserved(first!);
    const transaction = await buildSponsored(first!, reservation);
    await test.control.fault({
      kind: 'latency',
      ms: 25_000,
      method: 'iota_executeTransactionBlock',
      times: 2,
    });
    const answer = executeTx(first!, reservation, transaction);
    await test.until(async () => (await test.totals()).coins.executing > 0n);
    const stopped = [
      ...test.services('executor').slice(0, 1),
      ...test.services('gateway').slice(0, 1),
    ];
    const ends = await Promise.all(stopped.map(endGently));
    for (const { code, ms } of ends) {
      expect(code).toBe(0);
      expect(ms).toBeLessThan(DEADLINE_MS);
    }
    const told = await answer;
    expect(told).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('not known') },
    });
    expect(told.headers.get('retry-after')).toBe('2');
    await test.control.clearFaults();
    const again = await executeTx(second!, reservation, transaction);
    expect(again).toMatchObject({
      status: 200,
      body: { effects: { status: { status: 'success' } } },
    });
    await test.settledTotals();
    expect(await test.differences()).toEqual([]);
  });
});
