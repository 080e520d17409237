import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { historyStreamKey } from '@forecourt/coin-store';
import { Redis } from 'ioredis';
import { Prometheus } from '../../operations/monitoring/drill/prometheus.js';
import { scrape, sumOf } from '../../operations/monitoring/scrape.js';
import { call } from '../../support/application.js';
import { startTestSystem } from '../../support/start-test-system.js';
import type { TestSystem } from '../../support/test-system.js';
import { appendEntries } from './append-entries.js';
import { type Phase, SponsoringLoad } from './sponsoring-load.js';

const RULES = fileURLToPath(new URL('../../../../docker/prometheus/alerts.yaml', import.meta.url));
/** The alerts that the absence of the database causes. */
export const ALERTS = ['ForecourtHistoryBehind', 'ForecourtHistoryFailing'] as const;
/** Of the time before the outage. */
const QUIET_SECS = 300;
const LOOK_EVERY_MS = 1_000;
const BACKLOG = 3_000_000;

export interface OutageOptions {
  readonly minutes: number;
  readonly ratePerSecond: number;
  /** Entries that are appended while the database is away, besides those of the sponsored transactions. */
  readonly entries: number;
  readonly say: (text: string) => void;
}

/** Transactions and their gas. */
interface Total {
  readonly transactions: number;
  readonly gas: string;
}

export interface OutageReport {
  readonly phases: readonly Phase[];
  readonly failures: readonly string[];
  /** Entries of the stream when the database returned. */
  readonly kept: number;
  /** Of Redis, in bytes, without and with the kept entries. */
  readonly memory: { readonly before: number; readonly atReturn: number };
  /** Alert → seconds of absence after which it fired; absent: it did not. */
  readonly alerts: ReadonlyMap<string, number>;
  readonly awaySecs: number;
  /** From the return of the database until the stream was empty. */
  readonly catchUpSecs: number;
  readonly dropped: number;
  readonly expected: Total;
  readonly recorded: Total;
}

/**
 * Stops the database of a whole system for some time, while it sponsors, and compares what history has
 * afterwards.
 */
export async function measureOutage(options: OutageOptions): Promise<OutageReport> {
  const dir = mkdtempSync(join(tmpdir(), 'forecourt-outage-'));
  const system = await startTestSystem({
    history: 2,
    postgres: 'new',
    redis: { dir },
    env: { HISTORY_BACKLOG: String(BACKLOG), POOL_TARGET_COINS: '200', POOL_MIN_COINS: '100' },
  });
  const redis = new Redis(system.redisUrl);
  const targets = system.services('history').map(({ metricsUrl }) => new URL(metricsUrl).host);
  const prometheus = await Prometheus.start(readFileSync(RULES, 'utf8'), targets);
  try {
    return await observe(system, redis, prometheus, options);
  } finally {
    await prometheus.stop();
    redis.disconnect();
    await system.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function observe(
  system: TestSystem,
  redis: Redis,
  prometheus: Prometheus,
  { minutes, ratePerSecond, entries, say }: OutageOptions,
): Promise<OutageReport> {
  const before = Date.now();
  const load = new SponsoringLoad(system.application, ratePerSecond);
  const stream = historyStreamKey(system.sponsor);
  const memoryBefore = await usedMemory(redis);
  // The pool records nothing until its leader has seen that history is on.
  await system.until(async () => (await redis.exists(`${stream}-backlog`)) > 0);
  load.begin('before');
  load.start();
  await delay(QUIET_SECS * 1_000);

  say('PostgreSQL stops');
  await system.postgres().stop();
  const stoppedAt = performance.now();
  load.begin('away');
  await system.until(async () => (await redis.xlen(stream)) > 0);
  const each = await appendEntries(redis, system.sponsor, { entries, before });
  say(`${entries} entries appended`);
  const alerts = await watchAlerts(prometheus, stoppedAt, minutes * 60, say);
  const kept = await redis.xlen(stream);
  const memory = { before: memoryBefore, atReturn: await usedMemory(redis) };

  say(`PostgreSQL returns; ${kept} entries wait`);
  await system.postgres().start();
  const returnedAt = performance.now();
  const awaySecs = (returnedAt - stoppedAt) / 1_000;
  load.begin('catching up');
  // As many as wait at any time without an outage.
  while ((await redis.xlen(stream)) > 2 * ratePerSecond) await delay(LOOK_EVERY_MS);
  const catchUpSecs = (performance.now() - returnedAt) / 1_000;
  await load.stop();
  await system.until(async () => (await redis.xlen(stream)) === 0);

  const { sponsored, gas, failures, phases } = load;
  const { body } = await call(system.application, 'GET', '/v1/usage?group_by=token&from=0');
  const { total: recorded } = body.result as unknown as { total: Total };
  const figures = await scrape(system.services('history')[0]!.metricsUrl);
  return {
    phases,
    failures,
    kept,
    memory,
    alerts,
    awaySecs,
    catchUpSecs,
    recorded: { transactions: recorded.transactions, gas: recorded.gas },
    dropped: sumOf(figures, 'forecourt_history_dropped_total'),
    expected: { transactions: sponsored + entries, gas: String(gas + each * BigInt(entries)) },
  };
}

/** Watches until `secs` after the stop; returns the alerts that fired. */
async function watchAlerts(
  prometheus: Prometheus,
  stoppedAt: number,
  secs: number,
  say: (text: string) => void,
): Promise<Map<string, number>> {
  const fired = new Map<string, number>();
  const since = () => Math.round((performance.now() - stoppedAt) / 1_000);
  while (since() < secs) {
    const firing = await prometheus.listFiring();
    for (const alert of ALERTS) {
      if (!firing.has(alert) || fired.has(alert)) continue;
      fired.set(alert, since());
      say(`${alert} fires after ${since()} s`);
    }
    await delay(LOOK_EVERY_MS);
  }
  return fired;
}

async function usedMemory(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1]);
}
