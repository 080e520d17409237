import type { UsageKey } from '@forecourt/contracts';
import { type Database, Partitions, DAY_MS } from '@forecourt/history/database';
import { UsageQueries } from '@forecourt/history/queries';
import type { Row } from '../row.js';
import type { SampleSettings } from './sample-sponsorships.js';

const MONTH_DAYS = 30;
const TARGET_MS = 1_000;
const ROUNDS = 10;

const groupings: readonly (readonly UsageKey[])[] = [
  ['token', 'day'],
  ['sponsor', 'hour'],
  ['sender'],
  ['package'],
  ['token', 'function'],
];

/** The time of reports on a month; only that by token and day has a target. */
export async function benchUsage(database: Database, { now }: SampleSettings): Promise<Row[]> {
  const queries = new UsageQueries(database, new Partitions(database));
  const rows: Row[] = [];
  for (const groupBy of groupings) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      await queries.sum({
        viewer: { token: null, user: null },
        filters: {},
        groupBy,
        from: now - MONTH_DAYS * DAY_MS,
        to: now,
      });
      times.push(performance.now() - start);
    }
    const value = Math.max(...times);
    const hasTarget = groupBy.includes('day');
    rows.push({
      what: `a month’s usage by ${groupBy.join(' and ')}, the longest of ${ROUNDS}`,
      value,
      unit: 'ms',
      ...(hasTarget && { target: `at most ${TARGET_MS} ms`, isMet: value <= TARGET_MS }),
    });
  }
  return rows;
}
