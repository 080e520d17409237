import type { ListOrder, RecordFilters, Sponsorship, Viewer } from '@forecourt/contracts';
import { maySee, passesFilters } from '@forecourt/sponsorship';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Partitions } from '../database/partitions.js';
import {
  aRefusal,
  aSponsorship,
  everybody,
  noon,
  oneOf,
  useTables,
} from '../history.test-support.js';
import { SponsorshipQueries } from './sponsorship-queries.js';

const tables = useTables();
let queries: SponsorshipQueries;
const all: Sponsorship[] = [];

const refusal = { at: 1, status: 400, code: 'REFUSED_BY_LEDGER', message: 'no', digest: null };

/** Any of the values that the filters below ask for, and some that none asks for. */
function any(days: number): Sponsorship {
  const status = oneOf<Sponsorship['status']>('executed', 'executed', 'expired', 'released');
  const calls = ['0x2::coin::mint', '0x2::coin::burn', '0x3::coin::mint', '0x3::shop::buy'];
  return aSponsorship(noon(days) - oneOf(0, 1, 1_000, 3_600_000), {
    status,
    outcome: status === 'executed' ? oneOf('success', 'failure') : null,
    token: oneOf('shop', 'game', 'bank'),
    user: oneOf(null, '0xa', '0xb'),
    sender: oneOf(null, '0xa', '0xb'),
    sponsor_address: oneOf('0x5', '0x6'),
    digest: oneOf('D1', 'D2', null),
    commands: [oneOf(...calls), oneOf(...calls)].map((call) => `MoveCall ${call}`),
    refusals: oneOf([], [], [refusal], [refusal, refusal]),
  });
}

beforeAll(async () => {
  queries = new SponsorshipQueries(tables.database, tables.partitions);
  for (const days of [0, 1, 2, 5, 30]) all.push(...Array.from({ length: 60 }, () => any(days)));
  all.sort((a, b) => b.reservation_id - a.reservation_id);
  expect(await tables.insert(all)).toBe(all.length);
});

describe('a list', () => {
  it('tells a viewer who sees all how many entries were lost, and no other one', async () => {
    const insert = `INSERT INTO entry_numbers (sponsor, era, missing) VALUES ('0x5', 1, 80), ('0x6', 1, 9)`;
    await tables.database.pool.query(insert);
    const missingFor = async (viewer: Viewer, filters: RecordFilters) =>
      (await queries.list({ viewer, filters, limit: 1 })).missing;
    expect(await missingFor(everybody, {})).toBe(89);
    expect(await missingFor(everybody, { status: 'reserved' })).toBe(89);
    expect(await missingFor({ token: 'shop', user: null }, {})).toBe(0);
  });
});

/** All pages of a list. */
async function listAll(
  viewer: Viewer,
  filters: RecordFilters,
  limit: number,
  order: ListOrder = 'newest',
): Promise<number[]> {
  const ids: number[] = [];
  let before: string | undefined;
  do {
    const page = await queries.list({ viewer, filters, limit, order, ...(before && { before }) });
    expect(page.data.length).toBeLessThanOrEqual(limit);
    ids.push(...page.data.map(({ reservation_id: id }) => id));
    before = page.next ?? undefined;
  } while (before !== undefined);
  return ids;
}

const expected = (viewer: Viewer, filters: RecordFilters) =>
  all
    .filter((one) => maySee(viewer, one) && passesFilters(one, filters))
    .map(({ reservation_id: id }) => id);

const count = async (viewer: Viewer, filters: RecordFilters, except: readonly number[] = []) =>
  (await queries.count({ viewer, filters, except })).count;

const filters: readonly RecordFilters[] = [
  {},
  { token: 'shop' },
  { user: '0xa' },
  { sender: '0xb' },
  { sponsor: '0x6' },
  { status: 'executed' },
  { status: 'expired' },
  { status: 'reserved' },
  { outcome: 'success' },
  { outcome: 'failure' },
  { state: 'executed' },
  { state: 'failed' },
  { state: 'refused' },
  { state: 'expired' },
  { state: 'released', token: 'shop' },
  { state: 'in_flight' },
  { state: 'refused', error: 'REFUSED_BY_LEDGER', package: '0x2' },
  { state: 'expired', error: 'REFUSED_BY_LEDGER' },
  { package: '0x2' },
  { package: '0x3', module: 'coin' },
  { package: '0x3', module: 'coin', function: 'mint' },
  { module: 'shop' },
  { function: 'mint' },
  { function: 'unknown' },
  { digest: 'D1' },
  { error: 'REFUSED_BY_LEDGER' },
  { error: 'FORBIDDEN' },
  { from: noon(5) - 1_000, to: noon(1) },
  { from: noon(5), to: noon(5) },
  { error: 'REFUSED_BY_LEDGER', package: '0x2', outcome: 'success' },
  { package: '0x2', status: 'released', token: 'bank', from: noon(2) },
];
const viewers: readonly Viewer[] = [
  everybody,
  { token: 'shop', user: null },
  { token: 'game', user: '0xb' },
  { token: 'nobody', user: null },
];

describe('a list of sponsorships', () => {
  it.each(filters.map((one) => [JSON.stringify(one), one] as const))(
    'has exactly those that pass %s and the viewer may see, the newest first',
    async (_name, one) => {
      for (const viewer of viewers) {
        expect(await listAll(viewer, one, 7)).toEqual(expected(viewer, one));
        expect(await listAll(viewer, one, 1_000)).toEqual(expected(viewer, one));
      }
    },
  );

  it.each(filters.map((one) => [JSON.stringify(one), one] as const))(
    'has them in the opposite order, the oldest first, of %s',
    async (_name, one) => {
      for (const viewer of viewers) {
        const oldest = expected(viewer, one).toReversed();
        expect(await listAll(viewer, one, 7, 'oldest')).toEqual(oldest);
        expect(await listAll(viewer, one, 1_000, 'oldest')).toEqual(oldest);
      }
    },
  );

  it.each(filters.map((one) => [JSON.stringify(one), one] as const))(
    'has as many as are counted of %s for this viewer, without those that are counted elsewhere',
    async (_name, one) => {
      for (const viewer of viewers) {
        const ids = expected(viewer, one);
        expect(await count(viewer, one)).toBe(ids.length);
        const elsewhere = [...ids.slice(0, 5), 1];
        expect(await count(viewer, one, elsewhere)).toBe(ids.length - ids.slice(0, 5).length);
      }
    },
  );

  it('has every record as it was written, without timeline and coins', async () => {
    const { data } = await queries.list({ viewer: everybody, filters: {}, limit: 300 });
    expect(data).toEqual(all.map(({ timeline: _, gas_coins: __, ...listed }) => listed));
  });

  it('shows each record once while new ones arrive', async () => {
    const known = await listAll(everybody, { token: 'shop' }, 1_000);
    const page = (before?: string | null) =>
      queries.list({
        viewer: everybody,
        filters: { token: 'shop' },
        limit: 10,
        ...(before && { before }),
      });
    const seen: number[] = [];
    let next: string | null | undefined;
    do {
      const { data, next: following } = await page(next);
      seen.push(...data.map(({ reservation_id: id }) => id));
      const added = aSponsorship(noon() + 1_000);
      all.unshift(added);
      await tables.insert([added]);
      next = following;
    } while (next !== null);
    expect(seen).toEqual(known);
  });

  it('stays whole while partitions are looked up again', async () => {
    const known = await listAll(everybody, {}, 1_000);
    tables.partitions.forget();
    await tables.partitions.ensure([Date.now()]);
    expect(await listAll(everybody, {}, 1_000)).toEqual(known);
    expect(await listAll(everybody, {}, 1_000, 'oldest')).toEqual(known.toReversed());
  });

  it('ends early when its records are large, and goes on there', async () => {
    const commands = Array.from({ length: 1_000 }, () => `MoveCall 0x2::${'m'.repeat(100)}::f`);
    const large = Array.from({ length: 150 }, () =>
      aSponsorship(noon(3), { token: 'whale', commands }),
    );
    expect(await tables.insert(large)).toBe(large.length);
    all.push(...large);
    all.sort((a, b) => b.reservation_id - a.reservation_id);
    const viewer = { token: 'whale', user: null };
    const page = await queries.list({ viewer, filters: {}, limit: 1_000 });
    expect(page.data).toHaveLength(100);
    expect(await listAll(viewer, {}, 1_000)).toEqual(expected(viewer, {}));
  });

  it('is counted no further than 10 001, and not by keys whose record is missing', async () => {
    const { pool } = tables.database;
    const [{ id }] = (await pool.query<{ id: string }>('SELECT max(id) AS id FROM sponsorships'))
      .rows as [{ id: string }];
    const key = `INSERT INTO sponsorship_errors (code, id, token) VALUES ('EARLY', $1, 'shop')`;
    await pool.query(key, [String(BigInt(id) + 1n)]);
    expect(await count(everybody, { error: 'EARLY' })).toBe(0);
    const many = Array.from({ length: 10_500 }, (_, index) =>
      aSponsorship(noon(9) + index, { token: 'crowd', sponsor_address: '0x9' }),
    );
    expect(await tables.insert(many)).toBe(many.length);
    all.push(...many);
    all.sort((a, b) => b.reservation_id - a.reservation_id);
    const crowd = { token: 'crowd', user: null };
    expect(await count(crowd, {})).toBe(10_001);
    expect(await count(everybody, { sponsor: '0x9' })).toBe(10_001);
    expect(await count(crowd, { from: noon(9), to: noon(9) + 9_999 })).toBe(10_000);
    expect(await count({ token: 'shop', user: null }, { sponsor: '0x9' })).toBe(0);
  });

  it('refuses a place that is not an id', async () => {
    const list = queries.list({ viewer: everybody, filters: {}, limit: 1, before: "1' OR" });
    await expect(list).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('a sponsorship', () => {
  it('is found whole by its id, and the latest by its digest', async () => {
    const [newest] = all;
    const find = (viewer: Viewer) =>
      queries.find({ viewer, reservationId: newest!.reservation_id });
    expect(await find(everybody)).toEqual(newest);
    expect(await find({ token: newest!.token, user: newest!.user })).toEqual(newest);
    expect(await find({ token: 'nobody', user: null })).toBeNull();
    const ofDigest = all.find(({ digest }) => digest === 'D1');
    expect(await queries.find({ viewer: everybody, digest: 'D1' })).toEqual(ofDigest);
    expect(await queries.find({ viewer: everybody, digest: 'D3' })).toBeNull();
    expect(await queries.find({ viewer: everybody, reservationId: 1 })).toBeNull();
  });

  it('is found at once on a day that another replica has just added', async () => {
    const partitions = new Partitions(tables.database);
    const other = new SponsorshipQueries(tables.database, partitions);
    const find = () => other.find({ viewer: everybody, digest: 'early' });
    expect(await find()).toBeNull();
    const early = aSponsorship(noon(60), { digest: 'early' });
    await tables.insert([early]);
    expect(await find()).toEqual(early);
  });

  it('has the first ten of its refusals, by gateways and the ledger, in order', async () => {
    const time = Date.now();
    const refused = (after: number) => ({ ...refusal, at: time + after });
    const one = aSponsorship(time, {
      digest: 'refused',
      refusals: [refused(5_500), refused(90_000)],
    });
    const another = aSponsorship(time, { digest: 'refused too' });
    await tables.insert([one, another]);
    const seconds = Array.from({ length: 30 }, (_, index) => index);
    const reservation = String(one.reservation_id);
    await tables.refuse(seconds.map((s) => aRefusal(time + s * 1_000, { reservation })));
    const found = await queries.find({ viewer: everybody, digest: 'refused' });
    expect(found!.refusals.map((each) => [each.at - time, each.code])).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((s) => [s * 1_000, 'FORBIDDEN']),
      [5_500, 'REFUSED_BY_LEDGER'],
      ...[6, 7, 8].map((s) => [s * 1_000, 'FORBIDDEN']),
    ]);
    expect(await queries.find({ viewer: everybody, digest: 'refused too' })).toEqual(another);
  });
});
