import { Database, migrate } from '@forecourt/history/database';
import { readNumberOption } from '@forecourt/testing/options';
import { benchCost } from './history/bench-cost.js';
import { benchRecordPages } from './history/bench-record-pages.js';
import { benchUsage } from './history/bench-usage.js';
import { benchWriting } from './history/bench-writing.js';
import { fillHistory } from './history/fill-history.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';
import { withDatabase } from './with-database.js';

const HELP = `npm run bench -- history [--records <n>] [--quick] [--only tables|cost]

Fills a private PostgreSQL with a million sponsorships of 90 days, then measures pages by every filter, the usage
of a month, and the writing of entries from a stream. Starts two whole systems, with history and without it, and compares the processor
time of a sponsored transaction. Takes about a quarter of an hour on two cores; --records
changes the number of sponsorships, --quick takes 50000 and fewer rounds.`;

const DAYS = 90;
const QUICK = { records: 50_000, rounds: 40, entries: 10_000, pairs: 3 };
const FULL = { rounds: 300, entries: 60_000, pairs: 12 };

async function measure(records: number, rounds: number, entries: number): Promise<Row[]> {
  return withDatabase('history', async (databaseUrl) => {
    const database = new Database({ databaseUrl, databaseConnections: 5 });
    await migrate(database);
    const settings = { records, days: DAYS, now: Date.now() };
    await fillHistory(database, settings);
    say('pages …');
    const pages = await benchRecordPages(database, settings, rounds);
    say('usage …');
    const usage = await benchUsage(database, settings);
    say('writing …');
    const writing = await benchWriting(database, entries);
    await database.close();
    return [...pages, ...usage, writing];
  });
}

await runBenchmark({
  help: HELP,
  options: {
    records: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
  async measure({ records, quick, only }) {
    const { rounds, entries, pairs } = quick ? QUICK : FULL;
    const count = quick ? QUICK.records : readNumberOption('records', records);
    const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
      tables: () => measure(count, rounds, entries),
      cost: () => benchCost(pairs),
    };
    if (only !== undefined && !Object.hasOwn(parts, only)) {
      throw new RangeError(`--only must be one of ${Object.keys(parts).join(', ')}; got ${only}`);
    }
    const rows: Row[] = [];
    for (const [name, part] of Object.entries(parts)) {
      if (only !== undefined && only !== name) continue;
      say(`${name} …`);
      rows.push(...(await part()));
    }
    return { rows };
  },
});
