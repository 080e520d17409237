import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCoinStore } from '@forecourt/coin-store';
import { Database, migrate } from '@forecourt/history/database';
import { startTestPostgres } from '@forecourt/testing/postgres';
import { startRedisServer } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { percentile, type Row } from './row.js';
import { runBenchmark } from './run-benchmark.js';
import { type CrowdMeasurement, measureReceivers } from './webhooks/measure-receivers.js';
import type { CrowdSize } from './webhooks/receiver-crowd.js';

const HELP = `npm run bench -- webhooks

Notifies 1000 webhooks, of which 100 hang, 100 answer 500 and 100 redirect to loopback, of five events. Takes about a
minute.`;

const SIZE: CrowdSize = { receives: 700, hangs: 100, fails: 100, redirects: 100 };
const EVENTS = 5;
const TARGET_MS = 5_000;

async function measure(): Promise<CrowdMeasurement> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-webhooks-'));
  const postgres = await startTestPostgres();
  const server = await startRedisServer();
  const redis = prepareCoinStore(new Redis(server.url));
  const database = new Database({ databaseUrl: postgres.server.url, databaseConnections: 10 });
  try {
    await migrate(database);
    return await measureReceivers({
      size: SIZE,
      events: EVENTS,
      database,
      redis,
      redisUrl: server.url,
      writeTokens(text) {
        const file = join(folder, 'tokens.yaml');
        writeFileSync(file, text);
        return file;
      },
    });
  } finally {
    await database.close();
    redis.disconnect();
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

async function bench(): Promise<Row[]> {
  const { latencies, listedFailures, redelivered, redirected } = await measure();
  const p99 = percentile(latencies, 0.99);
  const reference = `${latencies.length} deliveries to ${SIZE.receives} receivers`;
  return [
    { what: 'arrival, median', value: percentile(latencies, 0.5), unit: 'ms', reference },
    {
      what: 'arrival, p99',
      value: p99,
      unit: 'ms',
      reference,
      target: `at most ${TARGET_MS} ms`,
      isMet: p99 <= TARGET_MS,
    },
    {
      what: 'failures sent again that arrived',
      value: redelivered,
      unit: 'deliveries',
      reference: `${listedFailures} listed failures`,
      ratio: redelivered / listedFailures,
      target: 'all',
      isMet: redelivered === listedFailures,
    },
    {
      what: 'requests to loopback behind a redirect',
      value: redirected,
      unit: 'requests',
      target: 'none',
      isMet: redirected === 0,
    },
  ];
}

await runBenchmark({
  help: HELP,
  options: {},
  measure: async () => ({ rows: await bench() }),
});
