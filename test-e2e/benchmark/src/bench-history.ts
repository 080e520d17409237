import { Database, migrate } from '@forecourt/history/database';
import { readNumberOption } from '@forecourt/testing/options';
import { benchRecordPages } from './history/bench-record-pages.js';
import { fillHistory } from './history/fill-history.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';
import { withDatabase } from './with-database.js';

const HELP = `npm run bench -- history [--records <n>] [--quick]

Fills a private PostgreSQL with a million sponsorships of 90 days, then measures pages by every filter. Takes at most a
quarter of an hour on two cores; --records changes the number of sponsorships, --quick takes 50000 and fewer rounds.`;

const DAYS = 90;
const QUICK = { records: 50_000, rounds: 40 };
const ROUNDS = 300;

async function measure(records: number, rounds: number): Promise<Row[]> {
  return withDatabase('history', async (databaseUrl) => {
    const database = new Database({ databaseUrl, databaseConnections: 5 });
    await migrate(database);
    const settings = { records, days: DAYS, now: Date.now() };
    await fillHistory(database, settings);
    say('pages …');
    const rows = await benchRecordPages(database, settings, rounds);
    await database.close();
    return rows;
  });
}

await runBenchmark({
  help: HELP,
  options: {
    records: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
  },
  async measure({ records, quick }) {
    const count = quick ? QUICK.records : readNumberOption('records', records);
    return { rows: await measure(count, quick ? QUICK.rounds : ROUNDS) };
  },
});
