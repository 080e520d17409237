import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ListedSponsorship, Sponsorship } from '@forecourt/contracts';
import {
  type CallerName,
  callers,
  type HistoryApp,
  startHistoryApp,
} from './history-app.test-support.js';
import { aRefusal, aSponsorship, digestOf, full, Records } from './records.test-support.js';

const ALICE = full('a');
const OTHER = aSponsorship(6 * 64, { token: 'other' });
const OF_ALICE = aSponsorship(5 * 64, { user: ALICE });
const OF_BOB = aSponsorship(4 * 64, { user: full('b'), status: 'reserved', outcome: null });
const OF_SHOP = aSponsorship(3 * 64);

const records = new Records();
let app: HistoryApp;
beforeAll(async () => {
  app = await startHistoryApp(records);
});
afterAll(() => app.close());
beforeEach(() => {
  records.pooled = [OF_BOB, OTHER];
  records.stored = [OF_SHOP, OF_ALICE];
  records.refusals = [
    aRefusal(1_000),
    aRefusal(2_000, { token: 'other' }),
    aRefusal(3_000, { user: ALICE }),
  ];
  records.isLeaky = false;
  records.lookups.length = 0;
  delete records.outages.history;
});

/** Caller → the records that it may see. */
const VISIBLE: Readonly<Record<CallerName, readonly Sponsorship[]>> = {
  shop: [OF_ALICE, OF_BOB, OF_SHOP],
  other: [OTHER],
  alice: [OF_ALICE],
  bob: [OF_BOB],
  operator: [OTHER, OF_ALICE, OF_BOB, OF_SHOP],
  auditor: [OTHER, OF_ALICE, OF_BOB, OF_SHOP],
  all: [OTHER, OF_ALICE, OF_BOB, OF_SHOP],
};
const ALL = VISIBLE.all;
const names = Object.keys(callers) as CallerName[];
const idsOf = (body: { result?: unknown }) =>
  (body.result as { data: ListedSponsorship[] }).data.map((one) => one.reservation_id);

describe.each(names)('%s', (by) => {
  const expected = VISIBLE[by].map((one) => one.reservation_id);

  it.each([false, true])(
    'lists the permitted sponsorships only; leaky services: %p',
    async (isLeaky) => {
      records.isLeaky = isLeaky;
      expect(idsOf((await app.get('/v1/sponsorships', by)).body)).toEqual(expected);
    },
  );

  it('counts the permitted sponsorships only', async () => {
    const { status, body } = await app.get('/v1/sponsorships/count', by);
    expect([status, body.result]).toEqual([200, { count: expected.length, is_exact: true }]);
  });

  it('finds the permitted ones only, by id and by digest', async () => {
    for (const isLeaky of [false, true]) {
      records.isLeaky = isLeaky;
      for (const one of ALL) {
        const { reservation_id: id } = one;
        const [status, body] = expected.includes(id) ? [200, { result: one }] : [404, {}];
        for (const path of [`/v1/sponsorships/${id}`, `/v1/transactions/${digestOf(id)}`]) {
          const answer = await app.get(path, by);
          expect([path, answer.status, answer.body]).toEqual([
            path,
            status,
            expect.objectContaining(body),
          ]);
        }
      }
    }
  });

  it('finds none of the others with any filter', async () => {
    const hidden = ALL.filter(({ reservation_id: id }) => !expected.includes(id));
    for (const { token, user, digest, sender } of hidden) {
      const filters = { token, user, digest, sender };
      for (const [name, value] of Object.entries(filters)) {
        if (value === null) continue;
        const { body } = await app.get(`/v1/sponsorships?${name}=${value}`, by);
        for (const id of idsOf(body)) expect(expected).toContain(id);
      }
    }
  });

  it('lists the permitted refusals only, and sums for this viewer', async () => {
    await app.get('/v1/refusals', by);
    await app.get('/v1/usage?token=other', by);
    await app.get('/v1/latency?token=other', by);
    for (const { message } of records.lookups) expect(message.viewer).toEqual(viewerOf(by));
    records.isLeaky = true;
    const { body } = await app.get('/v1/refusals', by);
    const seen = (body.result as unknown as { data: { at: number }[] }).data.map(
      ({ at: time }) => time,
    );
    const permitted = { shop: [3_000, 1_000], other: [2_000], alice: [3_000], bob: [] };
    expect(seen).toEqual(by in permitted ? permitted[by as 'shop'] : [3_000, 2_000, 1_000]);
  });
});

function viewerOf(by: CallerName) {
  if (['operator', 'auditor', 'all'].includes(by)) return { token: null, user: null };
  const { token, sender } = callers[by];
  return { token, user: sender };
}

describe('every route of history', () => {
  const PATHS = [
    '/v1/sponsorships',
    '/v1/sponsorships/count',
    '/v1/sponsorships/64',
    `/v1/transactions/${digestOf(64)}`,
    '/v1/refusals',
    '/v1/usage',
    '/v1/latency',
  ];
  const ALL_PATHS = [...PATHS, '/v1/webhooks', '/v1/webhook_deliveries'];

  it.each(ALL_PATHS)('answers 401 without a valid token: %s', async (path) => {
    for (const by of [null, 'nobody' as CallerName]) {
      const { status, body } = await app.get(path, by);
      expect([status, body]).toEqual([401, { error: 'Invalid authorization token' }]);
    }
  });

  it.each(ALL_PATHS)('answers 501 without a history: %s', async (path) => {
    const without = await startHistoryApp(records, { isOn: false });
    try {
      const { status, body, headers } = await without.get(path);
      expect([status, body, headers.get('error-code')]).toEqual([
        501,
        { error: 'This gas station keeps no history' },
        'HISTORY_OFF',
      ]);
      expect((await without.get(path, null)).status).toBe(401);
    } finally {
      await without.close();
    }
  });

  it.each(PATHS)(
    'answers 503 while history is away, except for what the pool has: %s',
    async (path) => {
      records.outages.history = { code: 'HISTORY_UNREACHABLE', detail: '' };
      const { status, headers } = await app.get(path);
      expect([status, headers.get('error-code')]).toEqual([503, 'HISTORY_UNREACHABLE']);
      expect(headers.get('retry-after')).toBe('1');
      expect((await app.get(`/v1/sponsorships/${OF_BOB.reservation_id}`)).status).toBe(200);
    },
  );
});

describe('refusals', () => {
  it('have pages, and the number of those that were only counted', async () => {
    const { body } = await app.get('/v1/refusals?limit=2&status=403', 'operator');
    const {
      data,
      next_cursor: next,
      dropped,
    } = body.result as unknown as {
      data: { at: number }[];
      next_cursor: string;
      dropped: object[];
    };
    expect(data.map(({ at: time }) => time)).toEqual([3_000, 2_000]);
    expect(dropped).toEqual([{ token: 'shop', code: 'NO_COINS', requests: 7 }]);
    const rest = await app.get(`/v1/refusals?limit=2&status=403&cursor=${next}`, 'operator');
    expect(rest.body.result).toMatchObject({ data: [{ at: 1_000 }], next_cursor: null });
    expect(records.lookups.at(-1)!.message).toMatchObject({ filters: { status: '403' } });
  });

  it('that were only counted are shown to their token, and not to its users', async () => {
    for (const [by, count] of [
      ['shop', 1],
      ['other', 0],
      ['alice', 0],
    ] as const) {
      const { body } = await app.get('/v1/refusals', by);
      const { dropped } = body.result as unknown as { dropped: object[] };
      expect([by, dropped.length]).toEqual([by, count]);
    }
  });
});

describe('usage', () => {
  const askedFor = () => records.lookups.at(-1)!.message;

  it('is that of the current month without times', async () => {
    const now = new Date();
    const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
    const { body } = await app.get('/v1/usage?group_by=day,token', 'operator');
    expect(askedFor()).toMatchObject({ from: month, groupBy: ['day', 'token'], filters: {} });
    expect(Math.abs(askedFor().to - Date.now())).toBeLessThan(60_000);
    expect(body.result).toMatchObject({ rows: [{ day: 'a day', token: 'a token' }] });
    await app.get('/v1/usage?to=1764072000000', 'operator');
    expect(askedFor()).toMatchObject({ from: Date.UTC(2025, 10), to: 1_764_072_000_000 });
  });

  it.each([
    ['', 'text/csv', true],
    ['', 'text/csv;q=1, application/json', true],
    ['', 'application/json, text/csv', false],
    ['', 'text/csv;q=0', false],
    ['', 'text/csv; Q=0.0, */*', false],
    ['', 'text/csv;q=0.2, application/json;q=0.9', false],
    ['', 'application/json;q=0.5, text/csv', true],
    ['', '*/*', false],
    ['&format=csv', 'application/json', true],
    ['&format=json', 'text/csv', false],
  ])('is CSV on request: %s, Accept: %s', async (query, accept, isCsv) => {
    const init = { headers: { accept } };
    const { text, headers } = await app.get(`/v1/usage?group_by=day${query}`, 'shop', init);
    expect(headers.get('vary')).toBe('Accept');
    const type = isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
    expect(headers.get('content-type')).toBe(type);
    if (isCsv) expect(text).toBe('day,transactions,failed,refused,gas\r\n"a day",2,1,0,-5\r\n');
  });

  it('names the error in JSON, whatever form the request wants', async () => {
    const { status, body } = await app.get('/v1/usage?format=csv&to=x');
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^to must be/)]);
  });
});

describe('latency', () => {
  const HOUR_MS = 3_600_000;

  it.each([
    ['', 'hour', 24 * HOUR_MS],
    ['?by=minute', 'minute', HOUR_MS],
    ['?by=day', 'day', 30 * 24 * HOUR_MS],
  ])(
    '%s is that of the last %s, and as long as fits it, without times',
    async (query, by, span) => {
      const { status, body } = await app.get(`/v1/latency${query}`, 'operator');
      expect([status, body.result]).toEqual([200, expect.objectContaining({ by })]);
      const { from, to } = records.lookups.at(-1)!.message;
      expect([to - from, Math.abs(to - Date.now()) < 60_000]).toEqual([span, true]);
    },
  );

  it('is that of the given time and token', async () => {
    await app.get('/v1/latency?by=minute&to=1000&token=shop', 'operator');
    const report = { from: 0, to: 1_000, by: 'minute', token: 'shop' };
    expect(records.lookups.at(-1)!.message).toMatchObject(report);
  });
});
