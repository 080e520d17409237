import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  anId,
  aRefusal,
  aSponsorship,
  everybody,
  noon,
  openDatabase,
  type TestTables,
  useTables,
} from '../history.test-support.js';
import { LatencyQueries } from '../queries/latency-queries.js';
import { UsageQueries } from '../queries/usage-queries.js';
import { usePostgres } from '@forecourt/testing/jest';
import { TrafficQueries } from '../queries/traffic-queries.js';
import { migrate } from './database.js';
import { DAY_MS, dayOf, firstIdAt, REFUSAL_BITS, RESERVATION_BITS } from './record-ids.js';

const first = useTables(1);

/** Makes the partitions of these days as releases did that kept no decisions. */
async function prepareEarlier(tables: TestTables, times: readonly number[]): Promise<void> {
  for (const day of times.map(dayOf)) {
    const name = new Date(day).toISOString().slice(0, 10).replaceAll('-', '');
    for (const [table, bits] of [
      ['sponsorships', RESERVATION_BITS],
      ['sponsorship_functions', RESERVATION_BITS],
      ['refusals', REFUSAL_BITS],
      ['refusal_functions', REFUSAL_BITS],
      ['sponsorship_errors', RESERVATION_BITS],
    ] as const) {
      const [from, to] = [firstIdAt(day, bits), firstIdAt(day + DAY_MS, bits)];
      await tables.database.pool.query(
        `CREATE TABLE ${table}_${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`,
      );
    }
  }
}

describe('an upgrade of a filled database', () => {
  it('keeps its records, sums their usage, and counts the latencies of new ones', async () => {
    const { database, partitions } = first;
    await prepareEarlier(first, [noon(2), noon(1)]);
    const records = [1, 1, 2].map((days) => aSponsorship(noon(days)));
    const idle = aSponsorship(noon(1), {
      status: 'expired',
      outcome: null,
      gas: null,
      commands: [],
    });
    const COLUMNS = `id, ended_at, status, outcome, token, sponsor, gas_budget, reserved_balance, gas_coins, gas_net, commands,
      refusals, refused, attempts, request_ids, timeline, digest`;
    for (const { reservation_id: id, status, outcome, gas } of [...records, idle]) {
      const digest = status === 'executed' ? 'D1' : null;
      await database.pool.query(
        `INSERT INTO sponsorships (${COLUMNS})
         VALUES ($1, now(), $2, $3, 'shop', '0x5', 1, 1, '[]', $4, '{}', '[]', 0, 1, '{}', '[]', $5)`,
        [id, status, outcome, gas?.net ?? null, digest],
      );
    }
    await database.pool.query(`INSERT INTO functions VALUES (1, '0x2', 'coin', 'mint', now())`);
    await database.pool.query(
      `INSERT INTO sponsorship_functions SELECT 1, id, 'shop' FROM sponsorships WHERE status = 'executed'`,
    );
    await migrate(database);
    const queries = new UsageQueries(database, partitions);
    const sum = (groupBy: 'day' | 'function' | 'sender') =>
      queries.sum({
        viewer: everybody,
        from: noon(3),
        to: Date.now(),
        groupBy: [groupBy],
        filters: {},
      });
    const figures = (transactions: number) => {
      return { transactions, failed: 0, refused: 0, gas: String(2_500 * transactions) };
    };
    const day = (days: number) => new Date(noon(days)).toISOString().slice(0, 10);
    expect(await sum('day')).toMatchObject({
      rows: [
        { day: day(2), ...figures(1) },
        { day: day(1), ...figures(2) },
      ],
      total: figures(3),
    });
    expect((await sum('function')).rows).toEqual([{ function: '0x2::coin::mint', ...figures(3) }]);
    expect((await sum('sender')).rows).toEqual([{ sender: '', ...figures(3) }]);
    await first.insert([aSponsorship(noon(0))]);
    const message = { viewer: everybody, from: noon(3), to: noon(0), by: 'day' } as const;
    const { total } = await new LatencyQueries(database).read(message);
    expect(total.transactions).toBe(1);
    // Decisions are kept from the upgrade on, also on days that have records.
    const traffic = new TrafficQueries(database, partitions);
    const decided = aSponsorship(noon(1));
    await first.decide([decided], '5 60 1000 7 0', 'AAAA');
    const period = { viewer: everybody, from: noon(1) - 3_600_000, to: noon(1) + 3_600_000 };
    const { data } = await traffic.read({ ...period, limit: 10 });
    expect(data).toMatchObject([{ reservation_id: decided.reservation_id, transaction: 'AAAA' }]);
    expect(await traffic.countUntried(period)).toMatchObject({ sponsorships: 2, refusals: 0 });
  });
});

const beforeCodes = useTables(8);

describe('an upgrade to sums of refusals by code', () => {
  it('counts those that are there', async () => {
    const { database, partitions } = beforeCodes;
    await prepareEarlier(beforeCodes, [noon(1)]);
    const refusal = aRefusal(noon(1), { code: 'PAUSED' });
    await database.pool.query(
      `INSERT INTO refusals (id, route, token, status, code, message) VALUES ($1, 'r', 'shop', '503', 'PAUSED', '')`,
      [refusal.id],
    );
    await database.pool.query(
      `INSERT INTO sponsorships (id, ended_at, status, token, sponsor, gas_budget, reserved_balance, gas_coins, commands,
         refusals, refused, attempts, request_ids, timeline)
       VALUES ($1, now(), 'expired', 'shop', '0x5', 1, 1, '[]', '{}', $2, 2, 1, '{}', '[]')`,
      [anId(noon(1)), JSON.stringify([{ code: 'PAUSED' }, { code: 'FORBIDDEN' }])],
    );
    await migrate(database);
    const { rows } = await new UsageQueries(database, partitions).sum({
      viewer: everybody,
      from: noon(2),
      to: Date.now(),
      groupBy: ['code'],
      filters: {},
    });
    expect(rows.map(({ code, refused }) => [code, refused])).toEqual([
      ['FORBIDDEN', 1],
      ['PAUSED', 2],
    ]);
  });
});

const empty = usePostgres();

describe('migrations', () => {
  it('are applied once, whichever replicas begin with them', async () => {
    const replicas = [1, 2, 3].map(() => openDatabase(empty.url));
    await Promise.all(replicas.map((replica) => migrate(replica)));
    await migrate(replicas[0]!);
    const { rows } = await replicas[0]!.pool.query(
      'SELECT version FROM schema_versions ORDER BY 1',
    );
    const files = readdirSync(new URL('../../sql/', import.meta.url)).sort();
    expect(rows).toEqual(files.map((file) => ({ version: Number.parseInt(file, 10) })));
    await Promise.all(replicas.map((replica) => replica.close()));
  });
});
