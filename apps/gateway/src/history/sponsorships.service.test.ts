import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ListOrder,
  listOrders,
  type ListRecords,
  type Sponsorship,
} from '@forecourt/contracts';
import { compareIn } from '@forecourt/sponsorship';
import { aSponsorship, digestOf, full, Records } from './records.test-support.js';
import { SponsorshipsService } from './sponsorships.service.js';

const all = { token: null, user: null };
const DOWN = { code: 'STORE_UNREACHABLE', detail: '' } as const;
const HISTORY_DOWN = { code: 'HISTORY_UNREACHABLE', detail: '' } as const;

let records: Records;
let service: SponsorshipsService;
beforeEach(() => {
  records = new Records();
  service = new SponsorshipsService(records.coinPool, records.history);
});

/** The database has it now, and no pool. */
function store(sponsorship: Sponsorship): void {
  const id = sponsorship.reservation_id;
  records.pooled = records.pooled.filter((one) => one.reservation_id !== id);
  records.stored = [...records.stored, sponsorship];
}

describe('a sponsorship', () => {
  it('is found by its id and by its digest, in the pool and in the database', async () => {
    records.pooled = [aSponsorship(64, { status: 'reserved', digest: null })];
    records.stored = [aSponsorship(128)];
    expect(await service.find({ viewer: all, reservationId: 64 })).toEqual(records.pooled[0]);
    expect(await service.find({ viewer: all, reservationId: 128 })).toEqual(records.stored[0]);
    expect(await service.find({ viewer: all, digest: digestOf(128) })).toEqual(records.stored[0]);
    expect(await service.find({ viewer: all, reservationId: 1 })).toBeNull();
  });

  it('is found while it moves from the pool to the database', async () => {
    const moving = aSponsorship(64);
    records.pooled = [moving];
    let reads = 0;
    records.onRead = () => {
      reads += 1;
      store(moving);
      records.onRead = () => undefined;
    };
    expect(await service.find({ viewer: all, reservationId: 64 })).toEqual(moving);
    expect(await service.find({ viewer: all, reservationId: 64 })).toEqual(moving);
    expect(reads).toBe(1);
  });

  it('is found in either place while the other one is away', async () => {
    records.pooled = [aSponsorship(64)];
    records.stored = [aSponsorship(128)];
    records.outages.history = HISTORY_DOWN;
    expect(await service.find({ viewer: all, reservationId: 64 })).toMatchObject({});
    await expect(service.find({ viewer: all, reservationId: 128 })).rejects.toMatchObject(
      HISTORY_DOWN,
    );
    delete records.outages.history;
    records.outages.coinPool = DOWN;
    expect(await service.find({ viewer: all, reservationId: 128 })).toMatchObject({});
    await expect(service.find({ viewer: all, reservationId: 64 })).rejects.toMatchObject(DOWN);
  });

  it('is not shown to another viewer, even if a service finds it', async () => {
    const other = aSponsorship(64, { token: 'other' });
    const users = aSponsorship(128, { token: 'users', user: full('1') });
    records.pooled = [other];
    records.stored = [users];
    records.isLeaky = true;
    for (const viewer of [
      { token: 'shop', user: null },
      { token: 'users', user: full('2') },
      { token: 'shop', user: full('1') },
    ]) {
      for (const { reservation_id: reservationId } of [other, users]) {
        expect(await service.find({ viewer, reservationId })).toBeNull();
      }
      expect(await service.list({ viewer, filters: {}, limit: 10 })).toMatchObject({ data: [] });
    }
  });
});

describe('a list of sponsorships', () => {
  const page = (
    limit: number,
    before?: string,
    filters: ListRecords['filters'] = {},
    order: ListOrder = 'newest',
  ) =>
    service.list({ viewer: all, filters, limit, order, ...(before !== undefined && { before }) });

  it('has those of the pools and the database, newest first, without coins and times', async () => {
    records.pooled = [aSponsorship(5, { status: 'reserved' }), aSponsorship(3)];
    records.stored = [aSponsorship(4), aSponsorship(2)];
    const { data, next } = await page(10);
    expect(data.map((one) => one.reservation_id)).toEqual([5, 4, 3, 2]);
    expect([next, data.some((one) => 'timeline' in one || 'gas_coins' in one)]).toEqual([
      null,
      false,
    ]);
  });

  it('shows the end of one that is in both', async () => {
    records.pooled = [aSponsorship(5, { status: 'executing', outcome: null })];
    records.stored = [aSponsorship(5)];
    expect((await page(10)).data).toMatchObject([{ reservation_id: 5, status: 'executed' }]);
  });

  it('ends before the limit where the pools hold many that do not match', async () => {
    const open = { status: 'reserved', outcome: null } as const;
    records.pooled = Array.from({ length: 100 }, (_, index) => aSponsorship(index + 10, open));
    records.stored = [aSponsorship(75), aSponsorship(5)];
    const first = await page(10, undefined, { status: 'executed' });
    expect(first).toMatchObject({ data: [{ reservation_id: 75 }], next: '50' });
    const second = await page(10, '50', { status: 'executed' });
    expect(second).toMatchObject({ data: [{ reservation_id: 5 }], next: null });
  });

  it('ends before the limit where those of the pools are large, and goes on there', async () => {
    const commands = Array.from({ length: 1_000 }, () => `MoveCall ${'m'.repeat(600)}`);
    records.pooled = Array.from({ length: 20 }, (_, index) =>
      aSponsorship(index + 10, { status: 'executing', outcome: null, commands }),
    );
    records.stored = [aSponsorship(5)];
    const ids: number[] = [];
    let next: string | undefined;
    do {
      const { data, next: after } = await page(100, next);
      expect(data.length).toBeLessThan(10);
      ids.push(...data.map((one) => one.reservation_id));
      next = after ?? undefined;
    } while (next !== undefined);
    expect(ids).toEqual(
      [...records.pooled.map((one) => one.reservation_id), 5].sort((a, b) => b - a),
    );
  });

  it('fails while either service is away: it would lack records', async () => {
    records.outages.history = HISTORY_DOWN;
    await expect(page(10)).rejects.toMatchObject(HISTORY_DOWN);
    delete records.outages.history;
    records.outages.coinPool = DOWN;
    await expect(page(10)).rejects.toMatchObject(DOWN);
  });

  it('is counted once in the pools and the database, also while some move', async () => {
    const open = { status: 'reserved', outcome: null } as const;
    const moving = aSponsorship(7);
    records.pooled = [aSponsorship(9, open), aSponsorship(8), moving, aSponsorship(6, open)];
    records.stored = [aSponsorship(8), aSponsorship(2), aSponsorship(1, { token: 'other' })];
    const count = (filters: ListRecords['filters'], viewer = all) =>
      service.count({ viewer, filters });
    expect(await count({})).toEqual({ count: 6, is_exact: true });
    records.onRead = () => store(moving);
    expect(await count({})).toEqual({ count: 6, is_exact: true });
    expect(await count({ status: 'reserved' })).toEqual({ count: 2, is_exact: true });
    expect(await count({ token: 'other' })).toEqual({ count: 1, is_exact: true });
  });

  it('is counted up to 10 000, and as far as the pools can be searched', async () => {
    const many = (length: number, over: Partial<Sponsorship> = {}) =>
      Array.from({ length }, (_, index) => aSponsorship(index + 1, over));
    const count = () => service.count({ viewer: all, filters: {} });
    records.stored = many(10_000);
    expect(await count()).toEqual({ count: 10_000, is_exact: true });
    records.stored = many(10_001);
    expect(await count()).toEqual({ count: 10_000, is_exact: false });
    // Each message searches three of the pools.
    records.stored = [];
    records.pooled = many(60, { status: 'reserved', outcome: null });
    expect(await count()).toEqual({ count: 60, is_exact: true });
    records.pooled = many(61, { status: 'reserved', outcome: null });
    expect(await count()).toEqual({ count: 60, is_exact: false });
  });

  it('is not counted while either service is away', async () => {
    const count = () => service.count({ viewer: all, filters: {} });
    records.outages.history = HISTORY_DOWN;
    await expect(count()).rejects.toMatchObject(HISTORY_DOWN);
    delete records.outages.history;
    records.outages.coinPool = DOWN;
    await expect(count()).rejects.toMatchObject(DOWN);
  });

  it('begins with the oldest of the pools and the database in the order oldest', async () => {
    const open = { status: 'reserved', outcome: null } as const;
    records.pooled = [aSponsorship(3, open), aSponsorship(5, open), aSponsorship(6, open)];
    records.stored = [aSponsorship(1), aSponsorship(2), aSponsorship(4)];
    const first = await page(4, undefined, {}, 'oldest');
    expect(first).toMatchObject({ data: [1, 2, 3, 4].map((id) => ({ reservation_id: id })) });
    const second = await page(4, first.next!, {}, 'oldest');
    expect(second).toMatchObject({ data: [{ reservation_id: 5 }, { reservation_id: 6 }] });
    expect([first.next, second.next]).toEqual(['4', null]);
  });

  it.each(listOrders)(
    'has every record once while some arrive and others move: %s',
    async (order) => {
      const compare = compareIn(order);
      const steps = fc.array(fc.constantFrom('arrive', 'move', 'end', 'wait'), { maxLength: 30 });
      const kinds = fc.array(fc.constantFrom('open', 'ended', 'stored'), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(
          kinds,
          steps,
          fc.integer({ min: 1, max: 7 }),
          async (begin, plan, limit) => {
            const ids = begin.map((_, index) => (index + 1) * 64);
            const of = (kind: string) => ids.filter((_, index) => begin[index] === kind);
            const open = (id: number) => aSponsorship(id, { status: 'reserved', outcome: null });
            records.pooled = [
              ...of('open').map(open),
              ...of('ended').map((id) => aSponsorship(id)),
            ];
            records.stored = of('stored').map((id) => aSponsorship(id));
            let newest = ids.length * 64;
            const left = [...plan];
            records.onRead = () => {
              const step = left.shift();
              const [first] = records.pooled;
              if (step === 'arrive') records.pooled = [open((newest += 64)), ...records.pooled];
              if (!first) return;
              if (step === 'move') store(aSponsorship(first.reservation_id));
              if (step === 'end') {
                records.pooled = [...records.pooled.slice(1), aSponsorship(first.reservation_id)];
              }
            };
            const seen: number[] = [];
            let before: string | undefined;
            do {
              const { data, next } = await page(limit, before, {}, order);
              expect(data.length).toBeLessThanOrEqual(limit);
              seen.push(...data.map((one) => one.reservation_id));
              before = next ?? undefined;
            } while (before !== undefined);
            expect(seen).toEqual(seen.toSorted(compare));
            expect(new Set(seen).size).toBe(seen.length);
            expect(seen).toEqual(expect.arrayContaining(ids));
          },
        ),
      );
    },
  );
});
