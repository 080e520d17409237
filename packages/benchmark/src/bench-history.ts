import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, databaseUrl, startPostgresServer } from '@forecourt/postgres';
import { Database, migrate } from '@forecourt/history/database';
import { readNumberOption } from '@forecourt/launcher/command-line';
import { freePort } from '@forecourt/testing/system';
import { benchCost } from './history/bench-cost.js';
import { benchRecordPages } from './history/bench-record-pages.js';
import { benchUsage } from './history/bench-usage.js';
import { benchWriting } from './history/bench-writing.js';
import { fillHistory } from './history/fill-history.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';

const HELP = `npm run bench:history [-- --records <n>] [-- --quick] [-- --write]

Fills a private PostgreSQL with a million sponsorships of 90 days, then measures pages by every filter, the usage
of a month, and the writing of entries from a stream. Starts two whole systems, with history and without it, and
compares the processor time of a sponsored transaction. Takes about a quarter of an hour on two cores; --records
changes the number of sponsorships, --quick takes 50000 and fewer rounds. --write puts the table into
packages/benchmark/results.`;

const DAYS = 90;
const QUICK = { records: 50_000, rounds: 40, entries: 10_000, pairs: 3 };
const FULL = { rounds: 300, entries: 60_000, pairs: 12 };

/** A database as on a small server. */
async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-bench-history-'));
  chmodSync(folder, 0o755);
  const server = await startPostgresServer({
    folder: join(folder, 'server'),
    port: await freePort(),
    password: randomBytes(12).toString('hex'),
    settings: { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '15min' },
  });
  try {
    await createDatabase(server.url, 'history');
    const database = new Database({
      databaseUrl: databaseUrl(server.url, 'history'),
      databaseConnections: 5,
    });
    await migrate(database);
    const result = await use(database);
    await database.close();
    return result;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(records: number, rounds: number, entries: number): Promise<Row[]> {
  return withDatabase(async (database) => {
    const settings = { records, days: DAYS, now: Date.now() };
    await fillHistory(database, settings);
    say('pages …');
    const pages = await benchRecordPages(database, settings, rounds);
    say('usage …');
    const usage = await benchUsage(database, settings);
    say('writing …');
    return [...pages, ...usage, await benchWriting(database, entries)];
  });
}

await runBenchmark({
  name: 'history',
  title: 'History',
  script: 'bench:history',
  help: HELP,
  options: {
    records: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
  },
  async measure({ records, quick }) {
    const { rounds, entries, pairs } = quick ? QUICK : FULL;
    const rows = await measure(
      quick ? QUICK.records : readNumberOption('records', records),
      rounds,
      entries,
    );
    say('the cost of a sponsored transaction …');
    return { rows: [...rows, ...(await benchCost(pairs))] };
  },
});
