import { describe, expect, it } from '@jest/globals';
import { aRefusal, aSponsorship, everybody, noon, useTables } from '../history.test-support.js';
import { Retention } from '../upkeep/retention.js';
import { TrafficQueries } from './traffic-queries.js';

const tables = useTables();
const FACTS = '5000000 60 1000 6000000 0';
const HOUR = 3_600_000;

const queries = () => new TrafficQueries(tables.database, tables.partitions);
const around = (time: number, token?: string) => {
  const period = { viewer: everybody, from: time - HOUR, to: time + HOUR };
  return { ...period, ...(token !== undefined && { token }) };
};

describe('recorded traffic', () => {
  it('has what decisions need, in the order of time, page by page', async () => {
    const time = noon(1);
    const sponsored = [4, 2].map((seconds) => aSponsorship(time + seconds * 1_000));
    await tables.decide(sponsored, FACTS, 'AAAA');
    const refused = { digest: 'D9', facts: FACTS, transaction: 'BBBB', reservation: '64' };
    await tables.refuse([
      aRefusal(time + 3_000, refused),
      aRefusal(time + 1_000, {
        ...refused,
        code: 'SPENDING_LIMIT',
        token: 'other',
        digest: '',
        transaction: '',
      }),
      // The rules did not refuse these.
      aRefusal(time, { ...refused, code: 'NO_COINS' }),
      aRefusal(time, { ...refused, facts: '', digest: '' }),
    ]);
    const found = [];
    let pages = 0;
    let after: string | null = null;
    do {
      const page = await queries().read({
        ...around(time),
        limit: 2,
        ...(after !== null && { after }),
      });
      found.push(...page.data);
      after = page.next;
      pages += 1;
    } while (after !== null);
    expect(pages).toBe(3);
    expect(found.map((one) => [one.at - time, one.refusal, one.transaction])).toEqual([
      [1_000, 'SPENDING_LIMIT', null],
      [2_001, null, 'AAAA'],
      [3_000, 'FORBIDDEN', 'BBBB'],
      [4_001, null, 'AAAA'],
    ]);
    const [, first, second] = found;
    expect(first).toMatchObject({
      token: 'shop',
      sponsor: '0x5',
      reservation_id: sponsored[1]!.reservation_id,
      digest: sponsored[1]!.digest,
      rule: 'ours',
      facts: FACTS,
      ended_at: sponsored[1]!.ended_at,
      executed: true,
      counted: '2500',
      gas: '2500',
    });
    expect(second).toMatchObject({ reservation_id: 64, ended_at: null, executed: false });
    const ofOne = await queries().read({ ...around(time, 'other'), limit: 10 });
    expect(ofOne).toMatchObject({ data: [{ token: 'other' }] });
    const ends = await queries().read({ ...around(time, 'other'), limit: 10, after: ofOne.next! });
    expect(ends).toEqual({ data: [], next: null });
    const message = { ...around(time), limit: 10, after: 'x' };
    await expect(queries().read(message)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is read in pages of bounded size', async () => {
    const time = noon(6);
    const large = Array.from({ length: 12 }, (_, index) => aSponsorship(time + index));
    await tables.decide(large, FACTS, 'AAAA'.repeat(10_000));
    const first = await queries().read({ ...around(time), limit: 100 });
    expect(first.data).toHaveLength(9);
    const second = await queries().read({ ...around(time), limit: 100, after: first.next! });
    expect(second.data).toHaveLength(3);
  });

  it('is written once, and without transactions that are too long', async () => {
    const time = noon(2);
    const one = aSponsorship(time);
    expect(await tables.decide([one], FACTS, 'A'.repeat(70_000))).toBe(1);
    expect(await tables.decide([one], FACTS, 'AAAA')).toBe(0);
    const { data } = await queries().read({ ...around(time), limit: 10 });
    expect(data).toMatchObject([{ transaction: null, digest: one.digest }]);
    expect(await queries().countUntried(around(time))).toMatchObject({ sponsorships: 0 });
  });

  it('counts records about whose decision nothing is kept', async () => {
    const time = noon(3);
    await tables.insert([
      aSponsorship(time),
      aSponsorship(time, { token: 'other' }),
      aSponsorship(time, { digest: null, status: 'expired' }),
    ]);
    await tables.refuse([
      aRefusal(time, { digest: 'D1' }),
      aRefusal(time, { digest: 'D2', code: 'NO_COINS' }),
    ]);
    const counted = { first: expect.any(Number), sponsorships: 2, refusals: 1 };
    expect(await queries().countUntried(around(time))).toEqual(counted);
    expect(await queries().countUntried(around(time, 'other'))).toMatchObject({
      sponsorships: 1,
      refusals: 0,
    });
  });

  it('is kept for its own days', async () => {
    const days = [4, 5].map((ago) => aSponsorship(noon(ago)));
    await tables.decide(days, FACTS, 'AAAA');
    const settings = { retentionDays: 90, usageRetentionDays: 90, transactionDays: 4 };
    await new Retention(tables.database, tables.partitions, settings).removeExpired();
    const [kept, gone] = await Promise.all(
      [4, 5].map((ago) => queries().read({ ...around(noon(ago)), limit: 10 })),
    );
    expect([kept!.data.length, gone!.data.length]).toEqual([1, 0]);
    expect(await queries().countUntried(around(noon(5)))).toMatchObject({ sponsorships: 1 });
    // A late entry of such a day finds a place.
    expect(await tables.decide([aSponsorship(noon(5))], FACTS, 'AAAA')).toBe(1);
  });
});
