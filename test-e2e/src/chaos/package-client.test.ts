import { type EventId, GasStation, LedgerEvents, type StoredEventRecord } from '@forecourt/client';
import { digestInBase64 } from '@forecourt/contracts';
import type { EventId as NodeCursor } from '@iota/iota-sdk/client';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { chooseSeed } from '@forecourt/testing/seed';
import { useSystem } from '../support/use-system.js';
import { chaosEnvironment } from './chaos-options.js';
import { type ClientCall, outcomeOf, programsLedger, runPackageClient } from './package-client.js';
import { LedgerScan } from './ledger-scan.js';
import { Seeded } from '../support/seeded.js';

const CLIENTS = 6;
const CAR_BUILT = `0x${'dec0'.padStart(64, '0')}::garage::CarBuilt`;
/** Time limit of one call to the gas station; `sponsor` makes two. */
const TIMEOUT_MS = 20_000;
/** Time that a busy machine needs in addition: for building, signing and noticing the timeout. */
const SLACK_MS = 5_000;

const system = useSystem((files) => ({
  gateways: 2,
  events: 1,
  redis: { dir: files.pathOf('redis') },
  env: { ...chaosEnvironment, POOL_TARGET_COINS: '120' },
}));

type Mortal = 'gateway' | 'coin-pool' | 'executor' | 'events';

/** Sends SIGKILL and restarts the service at once; resolves when it is ready. */
async function kill(app: Mortal, replica = 0): Promise<void> {
  const service = system.services(app)[replica]!;
  service.kill();
  await service.exited();
  await service.start();
}

async function killRedis(): Promise<void> {
  await system.stopRedis();
  await system.startRedis();
}

/** Kills every connection except the one that sends the command; services open new ones. */
async function killConnectionsToRedis(): Promise<void> {
  const redis = new Redis(system.redisUrl);
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  redis.disconnect();
}

/** Collects everything that a subscription delivers, in order. */
class Follower {
  readonly records: StoredEventRecord[] = [];
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  connections = 1;

  constructor(url: string, from: EventId) {
    const events = new LedgerEvents({ url }).subscribe(
      { MoveEventType: CAR_BUILT },
      {
        from,
        signal: this.#stopping.signal,
        onDisconnect: () => {
          this.connections += 1;
        },
      },
    );
    this.#running = this.follow(events);
  }

  async stop(): Promise<void> {
    this.#stopping.abort('stopped');
    await this.#running;
  }

  private async follow(events: AsyncGenerator<StoredEventRecord, never>): Promise<void> {
    try {
      for await (const record of events) this.records.push(record);
    } catch (error) {
      if (error !== 'stopped') throw error;
    }
  }
}

describe('programs with the client, while all its services are killed', () => {
  const seed = chooseSeed();
  const calls: ClientCall[] = [];
  /** Outcomes of the calls that ended without one, which the test requested later; by sender. */
  const resumed = new Map<string, Awaited<ReturnType<typeof outcomeOf>>>();
  const followers: Follower[] = [];
  let start: EventId;
  let scan: LedgerScan;
  /** Digests of the transactions by which each sender built cars, according to the ledger. */
  const builders = new Map<string, string[]>();

  beforeAll(async () => {
    process.stderr.write(`FORECOURT_SEED=${seed}\n`);
    const seeded = new Seeded(seed);
    const [, other] = system.applications;
    const events = new LedgerEvents({ url: other!.url });
    start = (await events.readPage('All', { descending: true, pageSize: 1 })).data[0]!.id;
    followers.push(...system.applications.map(({ url }) => new Follower(url, start)));
    const stopping = new AbortController();
    const stations = system.applications.map(
      ({ url, token }) => new GasStation({ url, token, timeoutMs: TIMEOUT_MS }),
    );
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      runPackageClient({
        station: stations[client % stations.length]!,
        ledger: programsLedger(system.ledgerUrl),
        seeded: seeded.branch(),
        stopping: stopping.signal,
        calls,
      }),
    );
    const faults = seeded.shuffle([
      () => kill('gateway', 0),
      () => kill('gateway', 1),
      () => kill('executor'),
      () => kill('coin-pool'),
      () => kill('events'),
      killRedis,
      killConnectionsToRedis,
      () => system.control.disconnect(),
    ]);
    for (const fault of faults) {
      const answered = calls.length;
      await fault();
      // The next kill happens while clients are at work.
      await system.until(async () => calls.length >= answered + CLIENTS);
    }
    stopping.abort();
    await Promise.all(clients);
    for (const { sender, outcome } of calls) {
      if (outcome.kind !== 'failed' || !outcome.pending) continue;
      resumed.set(sender, await outcomeOf(stations[0]!.execute(outcome.pending)));
    }
    await system.settledTotals();
    scan = new LedgerScan(system.ledger, system.sponsor);
    await scan.readOn();
    const built = await eventsOnLedger();
    for (const { sender, digest } of built) {
      builders.set(sender, [...(builders.get(sender) ?? []), digest]);
    }
    await system.until(async () =>
      followers.every(({ records }) => records.length >= built.length),
    );
    await Promise.all(followers.map((follower) => follower.stop()));
  });

  /** Every car that was built, according to the node. */
  async function eventsOnLedger(): Promise<{ sender: string; digest: string }[]> {
    const built: { sender: string; digest: string }[] = [];
    for (let cursor: NodeCursor | null | undefined; ;) {
      const page = await system.ledger.queryEvents({
        query: { MoveEventType: CAR_BUILT },
        cursor,
        order: 'ascending',
      });
      for (const { id, sender } of page.data) built.push({ sender, digest: id.txDigest });
      if (!page.hasNextPage) return built;
      cursor = page.nextCursor;
    }
  }

  it('end every call with an outcome, and in time', () => {
    const ends = calls.map(({ outcome }) => outcome);
    expect({ seed, ends: ends.filter(({ kind }) => kind === 'surprise') }).toEqual({
      seed,
      ends: [],
    });
    const late = calls.filter(({ tookMs }) => tookMs > 2 * TIMEOUT_MS + SLACK_MS);
    expect({ seed, late }).toEqual({ seed, late: [] });
    const executed = ends.filter(({ kind }) => kind === 'executed');
    const counts: Record<string, number> = {};
    for (const end of ends) {
      const kind = end.kind === 'failed' ? end.code : end.kind;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    const text = `${JSON.stringify(counts)}, outcome requested again: ${resumed.size}`;
    process.stderr.write(`calls: ${text}\n`);
    expect(executed.length).toBeGreaterThan(calls.length / 2);
  });

  it('execute no transaction twice', () => {
    const twice = [...builders].filter(([, digests]) => digests.length > 1);
    expect({ seed, twice }).toEqual({ seed, twice: [] });
    const times = new Set([...scan.landed.values()].map((landed) => landed.times));
    expect(times).toEqual(new Set([1]));
  });

  it('find the reported outcome on the ledger, paid for by the sponsor, and no failed transaction', () => {
    const problems = calls.map(describeProblem).filter((problem) => problem !== null);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    const unknown = [...resumed].filter(([, told]) => told.kind === 'failed' && told.pending);
    expect({ seed, unknown }).toEqual({ seed, unknown: [] });
  });

  function describeProblem({ sender, outcome }: ClientCall): string | null {
    const told = resumed.get(sender) ?? outcome;
    const [digest] = builders.get(sender) ?? [];
    if (told.kind === 'executed') {
      if (told.status !== 'success') return `${sender}: ${told.status}`;
      if (!scan.landed.has(told.digest)) return `${sender}: not paid for by the sponsor`;
      return told.digest === digest
        ? null
        : `${sender}: reported ${told.digest}, ledger has ${digest}`;
    }
    // An outcome without a waiting client is not known; a certain failure was not executed.
    if (told.kind === 'aborted' || digest === undefined) return null;
    return `${sender}: executed as ${digest}, reported ${JSON.stringify(told)}`;
  }

  it('receive every event once, in the order of the ledger', async () => {
    const events = new LedgerEvents({ url: system.application.url });
    const all: StoredEventRecord[] = [];
    for await (const record of events.query({ MoveEvent: CAR_BUILT })) all.push(record);
    const expected = [...builders.values()].flat().map(digestInBase64);
    expect(new Set(all.map(({ txDigest }) => txDigest))).toEqual(new Set(expected));
    for (const { records, connections } of followers) {
      expect(records).toEqual(all);
      expect(connections).toBeGreaterThan(1);
    }
  });

  it('leave a pool that agrees with the ledger', async () => {
    expect(await system.differences()).toEqual([]);
  });
});
