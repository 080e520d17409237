import type { Metrics } from '@forecourt/runtime/metrics';
import type { Database } from '../database/database.js';
import type { Partitions } from '../database/partitions.js';
import { DAY_MS } from '../database/record-ids.js';

/** Rows are counted up to here: an index holds that many in a few pages. */
const MOST = 10_000;

/** Measures what the tables need attention for. */
export function measureTables(metrics: Metrics, database: Database, partitions: Partitions): void {
  const countOf = (rows: string) => async () => {
    const counted = await database.pool.query<{ count: string }>(
      `SELECT count(*) FROM (SELECT FROM ${rows} LIMIT ${MOST}) AS counted`,
    );
    return [[{}, Number(counted.rows[0]!.count)]] as const;
  };
  metrics.figures({
    name: 'history_days_ahead',
    help: 'Days after today whose records the database can take.',
    read: async () => {
      const last = (await partitions.list()).at(-1) ?? 0;
      return [[{}, Math.floor((last - (await database.now())) / DAY_MS) + 1]];
    },
  });
  metrics.figures<{ stream: string }>({
    name: 'history_missing_total',
    labels: ['stream'],
    kind: 'counter',
    help: 'Ended sponsorships whose entries were deleted from Redis before they were recorded. Every replica exports the same.',
    read: async () => {
      const { rows } = await database.pool.query<{ stream: string; missing: string }>(
        'SELECT sponsor AS stream, sum(missing) AS missing FROM entry_numbers GROUP BY sponsor',
      );
      return rows.map(({ stream, missing }) => [{ stream }, Number(missing)] as const);
    },
  });
  metrics.figures({
    name: 'history_broken_entries',
    help: `Entries in the table broken_entries, up to ${MOST}: they are missing from the records.`,
    read: countOf('broken_entries'),
  });
  metrics.figures({
    name: 'webhook_waiting_deliveries',
    help: `Deliveries to webhooks that wait for an attempt, up to ${MOST}.`,
    read: countOf(`webhook_deliveries WHERE status = 'waiting'`),
  });
}
