import {
  acknowledgeHistory,
  claimReservations,
  releaseReservation,
  reserveGas,
  setHistoryBacklog,
} from '@forecourt/coin-store';
import {
  listOrders,
  type ListSponsorshipsMessage,
  type RecordFilters,
  type Viewer,
} from '@forecourt/contracts';
import { compareIn } from '@forecourt/sponsorship';
import { only } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { aClaimOf, type TestPool, useTestFleet } from '../test-fleet.test-support.js';

const fleet = useTestFleet();
const anyone: Viewer = { token: null, user: null };
const USER = `0x${'a'.repeat(64)}`;

/** A pool with history on, whose reservations end at once. */
async function aPoolWithHistory() {
  const pool = await fleet.aPool([2_000_000_000n, 2_000_000_000n], { targetBalance: 10n ** 9n });
  await pool.correction.adoptNewCoins(pool.sponsor);
  await setHistoryBacklog(fleet.redis, pool.sponsor, 10_000);
  return pool;
}

async function reserve({ redis, sponsor }: TestPool, caller = 'shop'): Promise<number> {
  const request = { caller, gasBudget: 1_000, durationMs: 60_000 };
  const [reserved] = await reserveGas(redis, sponsor, [request]);
  return reserved!.reservationId;
}

async function end(pool: TestPool, reservationId: number, caller = 'shop'): Promise<number> {
  const release = { reservationId, caller, retentionMs: 60_000 };
  await releaseReservation(pool.redis, pool.sponsor, release);
  return reservationId;
}

async function acknowledge({ redis, sponsor }: TestPool): Promise<void> {
  const entries = await redis.xrange(`fc:{${sponsor}}:history`, '-', '+');
  const written = entries.map(([entry, pairs]) => {
    const reservationId = Number(pairs[pairs.indexOf('id') + 1]);
    return { entry, reservationId, digest: pairs[pairs.indexOf('digest') + 1]! };
  });
  await acknowledgeHistory(redis, sponsor, written);
}

const list = async (
  { sponsorships, sponsor }: TestPool,
  filters: RecordFilters = {},
  {
    viewer = anyone,
    limit = 100,
    before = undefined,
    order = 'newest',
  }: Partial<Omit<ListSponsorshipsMessage, 'filters'>> = {},
) => {
  const page = before === undefined ? {} : { before };
  const reply = await sponsorships.list({
    viewer,
    limit,
    order,
    filters: { sponsor, ...filters },
    ...page,
  });
  return reply.sponsorships.map(({ reservation_id: id }) => id);
};

describe('a sponsorship that is not in the database', () => {
  it('is found by its id and by its digest, open and ended, until it is acknowledged', async () => {
    const pool = await aPoolWithHistory();
    const { redis, sponsor, sponsorships } = pool;
    const id = await reserve(pool);
    const claim = aClaimOf(id, `D${id}`, { caller: 'shop', leaseMs: 60_000 });
    await only(claimReservations(redis, sponsor, [claim]));
    const byId = { viewer: anyone, reservationId: id };
    const byDigest = { viewer: anyone, digest: `D${id}` };
    for (const message of [byId, byDigest]) {
      expect(await sponsorships.find(message)).toMatchObject({
        sponsorship: { reservation_id: id, status: 'executing', sponsor_address: sponsor },
      });
    }
    const other = await end(pool, await reserve(pool));
    const byOtherId = { viewer: anyone, reservationId: other };
    expect(await sponsorships.find(byOtherId)).toMatchObject({
      sponsorship: { status: 'released' },
    });
    await acknowledge(pool);
    expect(await sponsorships.find(byOtherId)).toEqual({ sponsorship: null });
    expect(await sponsorships.find({ viewer: anyone, digest: 'none' })).toEqual({
      sponsorship: null,
    });
  });

  it('is shown to its own token and user only', async () => {
    const pool = await aPoolWithHistory();
    const caller = `shop:${USER}`;
    const id = await reserve(pool, caller);
    const viewers: [Viewer, boolean][] = [
      [anyone, true],
      [{ token: 'shop', user: null }, true],
      [{ token: 'shop', user: USER }, true],
      [{ token: 'shop', user: `0x${'b'.repeat(64)}` }, false],
      [{ token: 'other', user: null }, false],
    ];
    for (const [viewer, sees] of viewers) {
      const { sponsorship } = await pool.sponsorships.find({ viewer, reservationId: id });
      expect([viewer, sponsorship !== null]).toEqual([viewer, sees]);
      expect(await list(pool, {}, { viewer })).toEqual(sees ? [id] : []);
    }
  });

  it('is never a health check', async () => {
    const pool = await aPoolWithHistory();
    const id = await reserve(pool, 'health-check');
    expect(await pool.sponsorships.find({ viewer: anyone, reservationId: id })).toEqual({
      sponsorship: null,
    });
    expect(await list(pool)).toEqual([]);
  });
});

describe('the list of sponsorships that are not in the database', () => {
  it.each(listOrders)('has open and ended ones of every pool, the %s first', async (order) => {
    const pools = [await aPoolWithHistory(), await aPoolWithHistory()];
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) {
      const pool = pools[n % 2]!;
      const id = await reserve(pool, `pages-${order}`);
      ids.push(n < 4 ? await end(pool, id, `pages-${order}`) : id);
    }
    const seen: number[] = [];
    for (let before: number | undefined; ;) {
      const message = { viewer: anyone, filters: { token: `pages-${order}` }, limit: 4, order };
      const page = await pools[0]!.sponsorships.list({ ...message, ...(before && { before }) });
      seen.push(...page.sponsorships.map(({ reservation_id: id }) => id));
      if (page.searchedTo === 0) break;
      before = page.searchedTo;
    }
    // Of one millisecond, pools count by themselves.
    expect(seen).toEqual(ids.toSorted(compareIn(order)));
  });

  it('passes filters of time, status and caller', async () => {
    const pool = await aPoolWithHistory();
    const ended = await end(pool, await reserve(pool));
    const open = await reserve(pool, 'other');
    expect(await list(pool, { status: 'released' })).toEqual([ended]);
    expect(await list(pool, { token: 'other' })).toEqual([open]);
    const { sponsorship } = await pool.sponsorships.find({ viewer: anyone, reservationId: open });
    const time = sponsorship!.created_at;
    expect(await list(pool, { from: time, token: 'other' })).toEqual([open]);
    expect(await list(pool, { to: time, token: 'other' })).toEqual([open]);
    expect(await list(pool, { from: time + 1 })).toEqual([]);
    expect(await list(pool, { to: time - 60_000 })).toEqual([]);
    const oldest = { order: 'oldest' } as const;
    expect(await list(pool, { from: time, token: 'other' }, oldest)).toEqual([open]);
    expect(await list(pool, { to: time, token: 'other' }, oldest)).toEqual([open]);
    expect(await list(pool, { from: time + 1 }, oldest)).toEqual([]);
    expect(await list(pool, { to: time - 60_000 }, oldest)).toEqual([]);
  });

  it('says how far it has searched where many end before history reads them', async () => {
    const pool = await aPoolWithHistory();
    const id = await end(pool, await reserve(pool, 'rare'), 'rare');
    for (let n = 0; n < 2_100; n++) await end(pool, await reserve(pool));
    const message = { viewer: anyone, filters: { token: 'rare', sponsor: pool.sponsor }, limit: 5 };
    const first = await pool.sponsorships.list(message);
    expect(first.sponsorships).toEqual([]);
    expect(first.searchedTo).toBeGreaterThan(id);
    const second = await pool.sponsorships.list({ ...message, before: first.searchedTo });
    expect(second).toMatchObject({ sponsorships: [{ reservation_id: id }], searchedTo: 0 });
  });

  it('says how far it has searched from the oldest', async () => {
    const pool = await aPoolWithHistory();
    for (let n = 0; n < 2_100; n++) await end(pool, await reserve(pool));
    const id = await end(pool, await reserve(pool, 'rare'), 'rare');
    const message = {
      viewer: anyone,
      filters: { token: 'rare', sponsor: pool.sponsor },
      limit: 5,
      order: 'oldest',
    } as const;
    const first = await pool.sponsorships.list(message);
    expect(first.sponsorships).toEqual([]);
    expect(first.searchedTo).toBeLessThan(id);
    const second = await pool.sponsorships.list({ ...message, before: first.searchedTo });
    expect(second).toMatchObject({ sponsorships: [{ reservation_id: id }], searchedTo: 0 });
  });
});

describe('the work for a list', () => {
  it('leaves what the viewer may not see undecoded', async () => {
    const pool = await aPoolWithHistory();
    const decoded: unknown[] = [];
    const ledger = Object.assign(Object.create(pool.ledger), {
      decodeTransaction: (bytes: Uint8Array) => {
        decoded.push(bytes);
        throw new Error('not decoded here');
      },
    }) as TestPool['ledger'];
    const { sponsorships } = pool.with({ ledger });
    const id = await reserve(pool);
    await only(
      claimReservations(pool.redis, pool.sponsor, [
        aClaimOf(id, `D${id}`, { caller: 'shop', leaseMs: 60_000 }),
      ]),
    );
    const filters = { sponsor: pool.sponsor, status: 'refused' };
    const ask = (token: string) =>
      sponsorships.list({ viewer: { token, user: null }, filters, limit: 5 });
    await ask('other');
    expect(decoded).toHaveLength(0);
    await ask('shop');
    expect(decoded).toHaveLength(1);
  });

  it('of one caller does not delay another’s', async () => {
    const pool = await aPoolWithHistory();
    for (let n = 0; n < 200; n++) await end(pool, await reserve(pool, 'greedy'), 'greedy');
    const order: string[] = [];
    const filters = { status: 'none', sponsor: pool.sponsor };
    const ask = async (token: string) => {
      await pool.sponsorships.list({ viewer: { token, user: null }, filters, limit: 5 });
      order.push(token);
    };
    await Promise.all([...Array.from({ length: 32 }, () => ask('greedy')), ask('other')]);
    expect(order.indexOf('other')).toBeLessThan(8);
    const many = Array.from({ length: 300 }, () =>
      ask('greedy').then(
        () => null,
        (error: unknown) => error,
      ),
    );
    expect(await many.at(-1)).toMatchObject({ code: 'OVERLOADED' });
    await Promise.all(many);
  });
});
