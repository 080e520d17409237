import type { Webhooks } from '../webhooks/webhooks.js';
import { registerSponsor, rebuiltStreamKey } from '@forecourt/coin-store';
import type { RebuiltSponsorship, Sponsorship, UnexplainedGas } from '@forecourt/contracts';
import { createIotaCodec } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { idWithoutReservation } from '@forecourt/sponsorship';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { aSponsorship, everybody, useTables } from '../history.test-support.js';
import { HistoryMetrics } from './history-metrics.js';
import { SponsorshipQueries } from '../queries/sponsorship-queries.js';
import { UsageQueries } from '../queries/usage-queries.js';
import type { NotifiedEvent } from '../webhooks/delivery-outbox.js';
import { anEntry, append, aReplica, useStreams } from './history-writer.test-support.js';
import { RebuiltWriter } from './rebuilt-writer.js';
import { RecordedNetwork } from './recorded-network.js';

const redis = useStreams();
const tables = useTables();
const sponsor = '0x5';
const stream = rebuiltStreamKey(sponsor);
const AT = Date.now() - 60_000;
const GAS = 1_017n;

let notified: NotifiedEvent[] = [];
const outbox = partial<Webhooks>({
  add: async (_client: unknown, events: readonly NotifiedEvent[]) => {
    notified.push(...events);
    return new Set<string>();
  },
  wake: async () => undefined,
});

beforeEach(async () => {
  await redis.flushall();
  await registerSponsor(redis, sponsor);
  notified = [];
  await tables.database.pool.query(
    'TRUNCATE sponsorships, usage_hourly, usage_daily, usage_daily_calls, corrections, broken_entries',
  );
});

const aWriter = (from = redis) =>
  new RebuiltWriter(
    from,
    tables.database,
    new RecordedNetwork(from, tables.database),
    tables.partitions,
    createIotaCodec(),
    outbox,
    new HistoryMetrics(new Metrics()),
    partial({ warn: () => undefined }),
  );

/** An entry of a pool; `over` replaces its fields. */
function rebuilt(digest: string, over: Partial<RebuiltSponsorship> = {}): RebuiltSponsorship {
  return {
    ...anEntry({ digest, caller: '', executor: '', counted: '0', sum: '0' }),
    id: String(idWithoutReservation(AT, 0, 7)),
    ended: String(AT),
    sender: '0xa',
    commands: '["MoveCall 0x2::coin::mint"]',
    cause: 'redis_lost_writes',
    ...over,
  };
}

const find = async (entry: object) => {
  await redis.xadd(stream, '*', ...(Object.entries(entry).flat() as string[]));
};

const records = async () => {
  const queries = new SponsorshipQueries(tables.database, tables.partitions);
  return (await queries.list({ viewer: everybody, filters: {}, limit: 100 })).data;
};
const usage = async (filters: { sponsor?: string; token?: string } = {}) =>
  new UsageQueries(tables.database, tables.partitions).sum({
    viewer: everybody,
    filters,
    groupBy: ['token'],
    from: 0,
    to: Date.now(),
  });

describe('a transaction that a pool has found on the ledger', () => {
  it('is recorded once, with what the ledger knows, and counted among usage and corrections', async () => {
    await find(rebuilt('D1'));
    await find(rebuilt('D1'));
    await aWriter().write();
    await find(rebuilt('D1', { cause: 'outside_pool' }));
    await aWriter().write();
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      status: 'executed',
      outcome: 'success',
      token: '',
      user: null,
      sender: '0xa',
      digest: 'D1',
      commands: ['MoveCall 0x2::coin::mint'],
      gas: { net: String(GAS) },
      created_at: AT,
      ended_at: AT,
      rebuilt: 'redis_lost_writes',
    });
    const report = await usage();
    expect(report.total).toMatchObject({ transactions: 1, gas: String(GAS) });
    const correction = { cause: 'redis_lost_writes', transactions: 1, gas: String(GAS) };
    expect(report.corrections).toEqual([{ ...correction, unexplained: '0' }]);
    expect((await usage({ sponsor: '0x6' })).corrections).toEqual([]);
    expect((await usage({ token: 'shop' })).corrections).toEqual([]);
    expect(await redis.xlen(stream)).toBe(0);
    expect(notified).toMatchObject([{ token: '', type: 'sponsorship.executed' }]);
  });

  it('is not recorded again if it was recorded as it ended', async () => {
    await tables.insert([aSponsorship(AT - 5_000, { digest: 'D1' })]);
    await find(rebuilt('D1'));
    await aWriter().write();
    expect((await records()).map(({ rebuilt: cause }) => cause)).toEqual([null]);
    expect((await usage()).corrections).toEqual([]);
  });

  it('is recorded although a reservation that was refused it had been bound to it before', async () => {
    const expired: Partial<Sponsorship> = { status: 'expired', outcome: null, gas: null };
    await tables.insert([aSponsorship(AT - 5_000, { digest: 'D1', ...expired })]);
    await find(rebuilt('D1'));
    await aWriter().write();
    expect(await records()).toHaveLength(2);
  });

  it('waits for the entries that its pool had before it', async () => {
    const entry = anEntry({ digest: 'D1' });
    await append(redis, sponsor, entry);
    await find(rebuilt('D1'));
    await aWriter().write();
    expect(await records()).toEqual([]);
    const { writer } = aReplica(redis, tables.database);
    await writer.follow();
    while ((await redis.xlen(stream)) > 0) await aWriter().write();
    await writer.stop();
    expect((await records()).map(({ token, rebuilt: cause }) => [token, cause])).toEqual([
      ['shop', null],
    ]);
  });

  it('is not recorded again by a replica that had read its own entry before Redis lost it', async () => {
    const entry = anEntry({ digest: 'D1', id: String(idWithoutReservation(AT - 9, 0, 1)) });
    const held = [{ id: `${AT}-0`, pairs: Object.entries(entry).flat() as string[] }];
    await find(rebuilt('D1'));
    await aWriter().write();
    const { done } = await aReplica(redis, tables.database).records.writeSponsorships(
      sponsor,
      held,
    );
    expect(done).toHaveLength(1);
    expect(await records()).toHaveLength(1);
    expect((await usage()).total).toMatchObject({ transactions: 1, gas: String(GAS) });
  });

  it('gets another id where a record has its id, and keeps that of its reservation otherwise', async () => {
    const reservation = aSponsorship(AT, { status: 'expired', outcome: null, gas: null });
    await tables.insert([reservation]);
    await find(rebuilt('D1'));
    await find(rebuilt('D2'));
    await find(rebuilt('D3', { id: String(reservation.reservation_id), caller: 'shop' }));
    const bound = aSponsorship(AT - 100).reservation_id;
    await find(rebuilt('D4', { id: String(bound), caller: 'shop' }));
    await aWriter().write();
    const found = await records();
    expect(found.map(({ digest }) => digest).toSorted()).toEqual(
      [reservation.digest, 'D1', 'D2', 'D3', 'D4'].toSorted(),
    );
    expect(new Set(found.map(({ reservation_id: id }) => id)).size).toBe(5);
    const ofD4 = found.find(({ digest }) => digest === 'D4');
    expect(ofD4).toMatchObject({ reservation_id: bound, token: 'shop' });
    for (const { created_at: time } of found) expect(Math.abs(time - AT)).toBeLessThanOrEqual(100);
  });
});

describe('gas that no transaction explains', () => {
  it('is counted once beside the usage, however often it is written', async () => {
    const entry: UnexplainedGas = {
      v: '1',
      unexplained: '-70',
      at: String(AT),
      cause: 'redis_lost_writes',
    };
    await find(entry);
    const interrupted = Object.create(redis, { xdel: { value: async () => 0 } }) as typeof redis;
    await aWriter(interrupted).write();
    await find({ ...entry, unexplained: '1070' });
    await aWriter().write();
    const { total, corrections } = await usage();
    expect(total).toMatchObject({ transactions: 0, gas: '0' });
    expect(corrections).toEqual([
      { cause: 'redis_lost_writes', transactions: 0, gas: '0', unexplained: '1000' },
    ]);
  });
});

describe('an entry that cannot be read', () => {
  it('is kept for examination, and does not keep others from being written', async () => {
    await find(rebuilt('D1', { commands: 'none' }));
    await find(rebuilt('D2'));
    await aWriter().write();
    expect((await records()).map(({ digest }) => digest)).toEqual(['D2']);
    const { rows } = await tables.database.pool.query('SELECT problem FROM broken_entries');
    expect(rows).toEqual([{ problem: 'commands cannot be read: "none"' }]);
    expect(await redis.xlen(stream)).toBe(0);
  });
});
