import { describe, expect, it } from '@jest/globals';
import { figuresOf } from '../attacks/process-figures.js';
import { scrape, sumOf } from '../operations/monitoring/scrape.js';
import {
  buildSponsored,
  executeTx,
  type Reservation,
  reserved,
  type SignedTransaction,
  sponsor,
} from '../support/application.js';
import { postRpc } from '../support/events-client.js';
import { useSystem } from '../support/use-system.js';

const CALLS = 8;
const MOST_MIB = 200;
const EXECUTE = 'iota_executeTransactionBlock';

const system = useSystem((files) => ({
  processes: 'one',
  // Its messages need no secret.
  fleetSecret: '',
  redis: { dir: files.pathOf('redis') },
  env: { CLAIM_LEASE_MS: '2000', LEDGER_TIMEOUT_MS: '4000' },
}));

const station = () => system.services('gateway')[0]!;

function portsOf(): readonly (readonly [service: string, url: string])[] {
  const { env } = station().options;
  const names = [
    ['gateway', 'GATEWAY_METRICS_PORT'],
    ['coin-pool', 'COIN_POOL_HEALTH_PORT'],
    ['executor', 'EXECUTOR_HEALTH_PORT'],
    ['events', 'EVENTS_PORT'],
  ] as const;
  return names.map(([service, port]) => [service, `http://127.0.0.1:${env[port]}/metrics`]);
}

/** Sends transactions that the ledger takes a second to answer, and waits until one has reached it. */
async function sendSlowly() {
  const { application, control } = system;
  const calls: (readonly [Reservation, SignedTransaction])[] = [];
  for (let count = 0; count < CALLS; count++) {
    const reservation = await reserved(application);
    calls.push([reservation, await buildSponsored(application, reservation)]);
  }
  await control.fault({ kind: 'latency', ms: 1_000, times: CALLS, method: EXECUTE });
  const before = await control.requestsOf(EXECUTE);
  const answers = calls.map(([reservation, transaction]) =>
    executeTx(application, reservation, transaction).catch(() => null),
  );
  await system.until(async () => (await control.requestsOf(EXECUTE)) > before);
  return { calls, answers };
}

describe('all services in one process', () => {
  it('fit into little memory after their start', () => {
    expect(figuresOf(station()).residentMib).toBeLessThanOrEqual(MOST_MIB);
  });

  it('sponsor a transaction and serve events', async () => {
    expect((await sponsor(system.application)).answer.body.effects?.status.status).toBe('success');
    const query = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params: ['All', null, 1] };
    expect((await postRpc(system.application.url, query)).status).toBe(200);
  });

  it('show their own metrics each, and those of the process once', async () => {
    for (const [service, url] of portsOf()) {
      const exposition = await scrape(url);
      expect(sumOf(exposition, 'forecourt_service_info')).toBe(1);
      expect(sumOf(exposition, 'forecourt_service_info', { service })).toBe(1);
      const memory = exposition.types.has('forecourt_process_resident_memory_bytes');
      expect([service, memory]).toEqual([service, service === 'gateway']);
    }
  });

  it('log under their own names', async () => {
    const lines = (await station().log()).trim().split('\n');
    const services = lines.map((line) => (JSON.parse(line) as { service: string }).service);
    const all = ['gateway', 'coin-pool', 'executor', 'events'];
    expect([...new Set(services)]).toEqual(expect.arrayContaining(all));
  });

  it('lose nothing when the process is killed with transactions in flight', async () => {
    const { calls, answers } = await sendSlowly();
    station().kill('SIGKILL');
    await Promise.all(answers);
    await station().exited();
    await station().start();
    for (const [reservation, transaction] of calls) {
      const { status, body } = await executeTx(system.application, reservation, transaction);
      expect([status, body.effects?.status.status]).toEqual([200, 'success']);
      expect(await system.control.submissionsOf(transaction.digest)).toBeGreaterThan(0);
    }
    await system.settledTotals();
    expect(await system.differences()).toEqual([]);
  });

  it('answer every transaction in flight when the process stops', async () => {
    const { answers } = await sendSlowly();
    station().kill('SIGTERM');
    for (const answer of await Promise.all(answers)) {
      expect(answer?.body.effects?.status.status).toBe('success');
    }
    expect(await station().exited()).toBe(0);
    await station().start();
    expect(await system.differences()).toEqual([]);
  });
});
