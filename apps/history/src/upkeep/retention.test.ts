import { describe, expect, it, jest } from '@jest/globals';
import { Partitions } from '../database/partitions.js';
import { DAY_MS, dayOf } from '../database/record-ids.js';
import {
  aRefusal,
  aSponsorship,
  everybody,
  noon,
  openDatabase,
  useTables,
} from '../history.test-support.js';
import { SponsorshipQueries } from '../queries/sponsorship-queries.js';
import { UsageQueries } from '../queries/usage-queries.js';
import { Retention } from './retention.js';

const tables = useTables();

const aRetention = (retentionDays: number, usageRetentionDays: number, transactionDays = 90) =>
  new Retention(tables.database, tables.partitions, {
    retentionDays,
    usageRetentionDays,
    transactionDays,
  });

describe('the retention', () => {
  it('drops whole days of records and latencies, and keeps their usage by day for its own time', async () => {
    const records = [0, 1, 2, 3, 9].map((days) => aSponsorship(noon(days)));
    await tables.insert(records);
    await tables.refuse([0, 2, 3].map((days) => aRefusal(noon(days))));
    await aRetention(2, 5).removeExpired();
    const queries = new SponsorshipQueries(tables.database, tables.partitions);
    const page = await queries.list({ viewer: everybody, filters: {}, limit: 10 });
    const kept = records.slice(0, 3).map(({ reservation_id: id }) => id);
    expect(page.data.map(({ reservation_id: id }) => id)).toEqual(kept);
    expect(await tables.partitions.list()).toEqual([2, 1, 0].map((days) => dayOf(noon(days))));
    const { rows: hours } = await tables.database.pool.query<{ unit: string; at: number }>(
      'SELECT DISTINCT unit, at FROM latencies ORDER BY unit, at',
    );
    expect(hours).toEqual([
      ...[2, 1, 0].map((days) => ({ unit: 'hour', at: noon(days) })),
      ...[1, 0].map((days) => ({ unit: 'minute', at: noon(days) })),
    ]);
    const usage = new UsageQueries(tables.database, tables.partitions);
    const report = await usage.sum({
      viewer: everybody,
      filters: {},
      groupBy: ['day'],
      from: 0,
      to: Date.now() + DAY_MS,
    });
    expect(
      report.rows.map(({ day, transactions, refused }) => [day, transactions, refused]),
    ).toEqual(
      [
        [3, 1, 1],
        [2, 1, 1],
        [1, 1, 0],
        [0, 1, 1],
      ].map(([days, ...figures]) => [new Date(noon(days)).toISOString().slice(0, 10), ...figures]),
    );
  });

  it('goes by the clock of the database, whatever that of a replica shows', async () => {
    const kept = await tables.partitions.list();
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 30 * DAY_MS);
    try {
      await aRetention(2, 5).removeExpired();
    } finally {
      jest.restoreAllMocks();
    }
    expect(await tables.partitions.list()).toEqual(kept);
  });

  it('widens a report to whole hours and days where records are gone', async () => {
    const usage = new UsageQueries(tables.database, tables.partitions);
    const time = noon(3) + 90_000;
    const ask = (groupBy: 'token' | 'sender') =>
      usage.sum({ viewer: everybody, filters: {}, groupBy: [groupBy], from: time, to: time + 1 });
    const day = dayOf(time);
    expect(await ask('token')).toMatchObject({ from: noon(3), to: noon(3) + 3_600_000 - 1 });
    expect(await ask('sender')).toMatchObject({ from: day, to: day + DAY_MS - 1 });
  });

  it('narrows a report that needs records to the days that have some', async () => {
    const usage = new UsageQueries(tables.database, tables.partitions);
    const ask = (to: number) => {
      const groupBy = ['token', 'sender', 'package'] as const;
      return usage.sum({ viewer: everybody, filters: {}, groupBy, from: noon(4), to });
    };
    const first = dayOf(noon(2));
    expect(await ask(noon(1))).toMatchObject({
      from: first,
      to: noon(1),
      total: { transactions: 2, refused: 1 },
    });
    await expect(ask(first - 1)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining(`to must not be before ${first}`),
    });
  });

  it('prepares the next days, once, whichever replicas do', async () => {
    const others = [1, 2].map(() => openDatabase(tables.database.pool.options.connectionString!));
    await Promise.all([
      aRetention(90, 90).prepareDays(),
      ...others.map((database) =>
        new Retention(database, new Partitions(database), {
          retentionDays: 90,
          transactionDays: 90,
          usageRetentionDays: 90,
        }).prepareDays(),
      ),
    ]);
    const days = await tables.partitions.list();
    expect(days.at(-1)).toBe(dayOf(Date.now()) + 7 * DAY_MS);
    await Promise.all(others.map((database) => database.close()));
  });
});
