import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { ForecourtError, type InspectedPool } from '@forecourt/contracts';
import { freePort } from '@forecourt/testing/redis';
import { daysLeft } from './describe-pool.js';
import { EventsReplicas } from './events-replicas.js';
import { FleetService } from './fleet.service.js';

const STATUS = {
  referenceGasPrice: 1_000n,
  epochStartedAt: 0,
  epochEndsAt: 86_400_000,
  objectLockMs: null,
};
const HOUR_MS = 3_600_000;
const pool: InspectedPool = {
  sponsor: '0x5',
  signer: null,
  coins: [
    { state: 'available', coins: '2', balance: '18446744073709551616' },
    { state: 'dust', coins: '1', balance: '4' },
  ],
  reservations: [{ state: 'executing', count: 7 }],
  hour: { spent: '5', since: 900, forMs: HOUR_MS },
  day: null,
  leader: 'coin-pool-1',
  suspendedMs: 1_200,
  drain: { reason: 'rotation', by: 'ops', since: 8 },
  sizes: [{ atLeast: '9223372036854775808', coins: 2 }],
  transactions: [
    {
      state: 'executing',
      reservationId: 64,
      caller: 'shop',
      digest: 'D1',
      reservedAt: 100,
      begunAt: 200,
      ageMs: 61_900,
      executor: 'executor-1',
      coins: 1,
      reason: null,
      quarantineEpoch: null,
      movedOnBy: null,
    },
  ],
};
const seen = { service: 'executor', id: 'executor-1', version: '1.0.0-a', startedAt: 5, seenAt: 9 };
const gateway = { ...seen, service: 'gateway', id: 'gateway-1', accessVersion: '0f1e2d3c4b5a' };

const webhook = {
  token: 'shop',
  url: 'https://failing.example',
  events: [],
  ended_at: null,
  last_success_at: null,
  last_failure_at: null,
  last_error: null,
  waiting: 0,
};

const INDEX = {
  first_checkpoint: null,
  last_checkpoint: null,
  first_cursor: null,
  end_cursor: null,
  last_at: null,
  node_checkpoint: null,
  lag_checkpoints: null,
  missing_checkpoints: 0,
  holes: [],
  bytes: 0,
  writer: null,
  other_ledger_nodes: ['iota other.example'],
};

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** An events service that answers in its own way; its port. */
async function answering(status: number, body: string): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const eventsAt = (...ports: number[]) => {
  const eventsEndpoints = ports.map((port) => ({ host: '127.0.0.1', port }));
  return new EventsReplicas(partial({ eventsEndpoints }));
};

function fleetOf(over: {
  inspectPools?: () => Promise<never>;
  list?: () => Promise<never>;
  getJobCounts?: () => Promise<never>;
  status?: (maxAgeMs?: number) => Promise<never>;
  listWebhooks?: () => Promise<never>;
}) {
  return new FleetService(
    partial({ inspectPools: async () => ({ pools: [pool] }), ...over }),
    partial({ list: async () => [gateway, seen], ...over }),
    eventsAt(),
    partial({
      getJobCounts: async () => ({ wait: 1, prioritized: 1, active: 2, delayed: 3 }),
      getRanges: async ([list]) => (list === 'wait' ? ['A-1-1', 'B-2-1-4'] : ['C-3-1']),
      ...over,
    }),
    partial({ status: async () => ({ ...STATUS, epoch: 7n }), ...over }),
    partial({ current: [] }),
    partial({
      listWebhooks: async () => ({
        webhooks: [
          { ...webhook, url: 'https://good.example', last_success_at: 2 },
          { ...webhook, last_success_at: 1, last_failure_at: 2, waiting: 1_217 },
        ],
      }),
      ...over,
    }),
    partial({ read: async () => INDEX }),
  );
}

describe('inspecting the fleet', () => {
  it('gathers all parts, with exact balances', async () => {
    const fleet = await fleetOf({}).inspect(5);
    const { sponsors, transactions, epoch, epoch_ends_at: end, queue, replicas, problems } = fleet;
    expect(sponsors).toEqual([
      {
        sponsor_address: '0x5',
        balance: '18446744073709551620',
        coins: {
          available: { coins: 2, balance: '18446744073709551616' },
          dust: { coins: 1, balance: '4' },
        },
        sizes: [{ at_least: '9223372036854775808', coins: 2 }],
        spending: { hour: { spent: '5', since: 900 }, day: null },
        days_left: null,
        leader: 'coin-pool-1',
        suspended_secs: 2,
        drain: { reason: 'rotation', by: 'ops', since: 8 },
        reservations: { executing: 7 },
        signer: null,
      },
    ]);
    expect(transactions).toMatchObject([{ digest: 'D1', age_secs: 61, quarantine: null }]);
    expect([epoch, end, queue]).toEqual([7, 86_400_000, { waiting: 5, active: 2, delayed: 3 }]);
    expect(replicas).toEqual([
      {
        service: 'executor',
        id: 'executor-1',
        version: '1.0.0-a',
        started_at: 5,
        seen_at: 9,
        access_version: null,
      },
      expect.objectContaining({ id: 'gateway-1', access_version: '0f1e2d3c4b5a' }),
    ]);
    expect(problems).toEqual([]);
  });

  it('names a part that cannot be read, and returns the others', async () => {
    const down = () => Promise.reject(new ForecourtError('STORE_UNREACHABLE'));
    const gaveUp = Object.assign(new Error('Reached the limit of the client'), {
      name: 'MaxRetriesPerRequestError',
    });
    const late = () => new Promise<never>(() => undefined);
    const fleet = await fleetOf({
      inspectPools: down,
      list: down,
      getJobCounts: () => Promise.reject(gaveUp),
      status: late,
    }).inspect(5);
    expect(fleet).toMatchObject({
      sponsors: [],
      replicas: [],
      queue: null,
      epoch: null,
      epoch_ends_at: null,
    });
    expect(fleet.problems.toSorted((a, b) => b.part.localeCompare(a.part))).toEqual([
      {
        part: 'sponsors',
        message: expect.stringContaining('The coin-pool, or its Redis, is unreachable'),
      },
      { part: 'replicas', message: expect.any(String) },
      { part: 'queue', message: 'Redis is unreachable' },
      { part: 'epoch', message: expect.stringContaining('The ledger took longer') },
    ]);
  });
});

describe('the figures of the fleet', () => {
  it('have failing webhooks and nodes of another ledger', async () => {
    const fleet = fleetOf({});
    await fleet.summarize();
    expect(await fleet.summarize()).toMatchObject({
      failing_webhooks: [{ url: 'https://failing.example', waiting: 1_217 }],
      other_ledger_nodes: ['iota other.example'],
      problems: [],
    });
  });

  it('ask the ledger again before callers do, and name history if it is away', async () => {
    const ages: (number | undefined)[] = [];
    const fleet = fleetOf({
      status: (age) => Promise.reject(new Error(`down ${ages.push(age)}`)),
      listWebhooks: () => Promise.reject(new ForecourtError('HISTORY_UNREACHABLE')),
    });
    await fleet.summarize();
    const { epoch, problems } = await fleet.summarize();
    expect(epoch).toBeNull();
    expect(problems).toContainEqual({
      part: 'webhooks',
      message: expect.stringContaining('The history'),
    });
    expect(ages[0]).toBeLessThan(2_000);
  });
});

describe('a summary of the fleet', () => {
  it('does not wait for a part that does not answer', async () => {
    const fleet = fleetOf({ inspectPools: () => new Promise(() => undefined) });
    expect(await fleet.summarize()).toMatchObject({
      sponsors: null,
      epoch: 7,
      problems: [{ part: 'sponsors', message: 'The answer took longer than 2000 ms' }],
    });
  });
});

describe('replicas of the events service', () => {
  it('are listed if they answer; endpoints without an answer are named', async () => {
    const replica = { service: 'events', id: 'events-1', version: '1.0.0-a', startedAt: 5 };
    const good = await answering(200, JSON.stringify(replica));
    const old = await answering(404, '{}');
    const wrong = await answering(200, '<html>');
    const gone = await freePort();
    const { replicas, problems } = await eventsAt(good, old, wrong, gone).list();
    expect(replicas).toMatchObject([{ service: 'events', id: 'events-1', started_at: 5 }]);
    const reasonOf = (port: number) =>
      problems.find(({ message }) => message.startsWith(`127.0.0.1:${port} `))?.message;
    expect(problems).toHaveLength(3);
    expect(reasonOf(old)).toMatch(/status 404/);
    expect(reasonOf(wrong)).toMatch(/not valid JSON/);
    expect(reasonOf(gone)).toMatch(/ECONNREFUSED/);
  });
});

describe('the remaining days of the funds', () => {
  const spentIn = (spent: string, forMs: number) => ({ spent, since: 0, forMs });
  it.each([
    [1_000n, spentIn('100', 24 * HOUR_MS), 10],
    [1_000n, spentIn('100', 12 * HOUR_MS), 5],
    [333n, spentIn('100', 24 * HOUR_MS), 3.3],
    [10n ** 30n, spentIn('1', 24 * HOUR_MS), 1e30],
    [0n, spentIn('100', 24 * HOUR_MS), 0],
    [1_000n, spentIn('0', 24 * HOUR_MS), null],
    [1_000n, spentIn('-5', 24 * HOUR_MS), null],
    [1_000n, spentIn('100', 11 * 60_000), null],
    [1_000n, spentIn('100', 60_000), null],
    [1_000n, null, null],
  ])('%s with %j lasts %s days', (balance, day, days) => {
    expect(daysLeft(balance, day)).toBe(days);
  });
});
