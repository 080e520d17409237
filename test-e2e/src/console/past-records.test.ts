import { Database, migrate, Partitions } from '@forecourt/history/database';
import { UsageQueries } from '@forecourt/history/queries';
import { usePostgres } from '@forecourt/testing/jest';
import { expect, it } from '@jest/globals';
import { writePast } from './past-records.js';

const postgres = usePostgres();
const DAY_MS = 86_400_000;

it('has two days of records, more by day than by night, with failures and refusals of several kinds', async () => {
  const database = new Database({ databaseUrl: postgres.url, databaseConnections: 2 });
  try {
    await migrate(database);
    const now = Date.now();
    await writePast(postgres.url, now, ['0x5', '0x6']);
    const usage = new UsageQueries(database, new Partitions(database));
    const sum = (groupBy: 'hour' | 'code' | 'token' | 'sponsor', from: number, to: number) =>
      usage.sum({ viewer: { token: null, user: null }, filters: {}, groupBy: [groupBy], from, to });
    const last = await sum('hour', now - DAY_MS, now);
    const before = await sum('hour', now - 2 * DAY_MS, now - DAY_MS - 1);
    expect(last.total.transactions).toBeGreaterThan(900);
    expect(before.total.transactions).toBeGreaterThan(800);
    expect(last.total.transactions).toBeGreaterThan(before.total.transactions);
    expect(last.total.failed).toBeGreaterThan(5);
    const hours = last.rows.map(({ transactions }) => transactions);
    expect(Math.max(...hours)).toBeGreaterThan(5 * Math.min(...hours));
    expect((await sum('code', now - DAY_MS, now)).rows.length).toBeGreaterThan(5);
    expect((await sum('token', now - DAY_MS, now)).rows).toHaveLength(3);
    expect((await sum('sponsor', now - DAY_MS, now)).rows.length).toBeGreaterThan(1);
  } finally {
    await database.close();
  }
});
