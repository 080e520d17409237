import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ListedSponsorship } from '@forecourt/contracts';
import { type HistoryApp, startHistoryApp } from './history-app.test-support.js';
import { aSponsorship, digestOf, full, Records } from './records.test-support.js';

const records = new Records();
let app: HistoryApp;
beforeAll(async () => {
  app = await startHistoryApp(records);
});
afterAll(() => app.close());
beforeEach(() => {
  records.lookups.length = 0;
});

const idsOf = (body: { result?: unknown }) =>
  (body.result as { data: ListedSponsorship[] }).data.map((one) => one.reservation_id);

describe('a query of records', () => {
  it.each([
    ['/v1/sponsorships?colour=red', 'colour is not one of the parameters from, to, token,'],
    ['/v1/sponsorships?colour=red', 'status, state, order, limit, cursor; got "red"'],
    [
      '/v1/sponsorships?from=yesterday',
      'from must be an integer from 0 to 253370764799999; got "yesterday"',
    ],
    ['/v1/sponsorships?from=2&to=1', 'from must not be later than to, which is 1; got 2'],
    ['/v1/sponsorships?to=-1', 'to must be an integer'],
    ['/v1/sponsorships?to=1.5', 'to must be an integer'],
    [
      '/v1/sponsorships?from=1&from=2',
      'from must be an integer from 0 to 253370764799999; got an array',
    ],
    ['/v1/sponsorships?limit=0', 'limit must be an integer from 1 to 1000; got "0"'],
    ['/v1/sponsorships?limit=1001', 'limit must be an integer from 1 to 1000; got "1001"'],
    ['/v1/sponsorships?limit=', 'limit must be an integer from 1 to 1000; got ""'],
    ['/v1/sponsorships?token=', 'token must be the name of a token, of 1 to 64 characters; got ""'],
    ['/v1/sponsorships?token=a%20b', 'token must be the name of a token,'],
    ['/v1/sponsorships?sender=alice', 'sender must be an address, 0x and hex digits,'],
    [
      '/v1/sponsorships?status=done',
      'status must be one of reserved, executing, quarantined, executed, expired, released; got "done"',
    ],
    ['/v1/sponsorships?outcome=ok', 'outcome must be one of success, failure; got "ok"'],
    ['/v1/sponsorships?package=p', 'package must be an address'],
    [
      '/v1/sponsorships?module=a-b',
      'module must be a Move identifier of 1 to 128 characters; got "a-b"',
    ],
    ['/v1/sponsorships?function=1f', 'function must be a Move identifier'],
    ['/v1/sponsorships?digest=x', 'digest must be 32 bytes in base58 or base64; got "x"'],
    [
      '/v1/sponsorships?error=nope',
      'error must be an error code, such as REFUSED_BY_LEDGER, of 1 to 64 characters; got "nope"',
    ],
    ['/v1/sponsorships?cursor=x', 'cursor must be the next_cursor of a page'],
    ['/v1/sponsorships?cursor=%00', 'cursor must be the next_cursor of a page'],
    ['/v1/sponsorships?__proto__=x', '__proto__ is not one of the parameters'],
    ['/v1/sponsorships?constructor=x', 'constructor is not one of the parameters'],
    [
      '/v1/sponsorships/count?limit=1',
      'limit is not one of the parameters from, to, token, user, sender, sponsor, outcome, package, module, function, digest, error, status, state; got "1"',
    ],
    ['/v1/sponsorships/count?from=2&to=1', 'from must not be later than to, which is 1; got 2'],
    ['/v1/sponsorships?order=gas', 'order must be one of newest, oldest; got "gas"'],
    ['/v1/refusals?order=oldest', 'order is not one of the parameters'],
    ['/v1/refusals?status=executed', 'status must be an integer from 400 to 599; got "executed"'],
    ['/v1/refusals?group_by=day', 'group_by is not one of the parameters'],
    [
      '/v1/usage?group_by=year',
      'group_by must be a list, without repetitions, of month, day, hour, minute, token, user, sender, sponsor, package, function, code; got "year"',
    ],
    ['/v1/usage?group_by=day,day', 'group_by must be a list, without repetitions,'],
    ['/v1/usage?group_by=', 'group_by must be a list'],
    ['/v1/usage?format=xml', 'format must be one of json, csv; got "xml"'],
    ['/v1/usage?from=253370764799999', 'from must not be later than to, which is'],
    ['/v1/latency?by=week', 'by must be one of minute, hour, day; got "week"'],
    ['/v1/latency?from=2&to=1', 'from must not be later than to, which is 1; got 2'],
    [
      '/v1/latency?sender=0x1',
      'sender is not one of the parameters from, to, by, token; got "0x1"',
    ],
    ['/v1/usage?limit=5', 'limit is not one of the parameters'],
    [
      `/v1/transactions/${digestOf(64)}?wait_ms=30001`,
      'wait_ms must be an integer from 0 to 30000; got "30001"',
    ],
    [
      `/v1/transactions/${digestOf(64)}?wait=1`,
      'wait is not one of the parameters wait_ms; got "1"',
    ],
    ['/v1/transactions/x', 'digest must be 32 bytes in base58 or base64; got "x"'],
    ['/v1/sponsorships/0', 'reservation_id must be an integer from 1 to 9007199254740991; got "0"'],
    ['/v1/sponsorships/64%27', 'reservation_id must be an integer'],
  ])('%s is refused: %s', async (path, message) => {
    const { status, body, headers } = await app.get(path, 'operator');
    expect([status, headers.get('error-code')]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.error).toContain(message);
    expect(records.lookups).toEqual([]);
  });

  it('reaches history in the forms in which it is stored', async () => {
    const query = new URLSearchParams({
      from: '1',
      to: '2',
      token: 'shop',
      user: '0xA',
      sender: '0xB',
      sponsor: '0xc',
      status: 'executed',
      outcome: 'failure',
      package: '0x2',
      module: 'clock',
      function: 'timestamp_ms',
      error: 'REFUSED_BY_LEDGER',
      limit: '7',
      digest: Buffer.alloc(32, 0xfb).toString('base64'),
    });
    expect((await app.get(`/v1/sponsorships?${query.toString()}`, 'operator')).status).toBe(200);
    expect(records.lookups[0]!.message).toMatchObject({
      limit: 7,
      filters: {
        from: 1,
        to: 2,
        token: 'shop',
        user: full('a'),
        sender: full('b'),
        sponsor: full('c'),
        status: 'executed',
        outcome: 'failure',
        package: full('2'),
        module: 'clock',
        function: 'timestamp_ms',
        error: 'REFUSED_BY_LEDGER',
        digest: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/),
      },
    });
  });

  it('has pages of 50, which a cursor continues for the same query and token only', async () => {
    records.pooled = [];
    records.stored = Array.from({ length: 60 }, (_, index) => aSponsorship((index + 1) * 64));
    const first = (await app.get('/v1/sponsorships', 'operator')).body;
    const { next_cursor: cursor } = first.result as unknown as { next_cursor: string };
    const second = (await app.get(`/v1/sponsorships?cursor=${cursor}`, 'operator')).body;
    expect([idsOf(first).length, idsOf(second).length]).toEqual([50, 10]);
    expect(second.result).toMatchObject({ next_cursor: null });
    expect((await app.get(`/v1/sponsorships?cursor=${cursor}`, 'auditor')).status).toBe(200);
    const query = `/v1/sponsorships?cursor=${cursor}`;
    const oldest = (await app.get('/v1/sponsorships?order=oldest', 'operator')).body;
    expect(idsOf(oldest)).toEqual(Array.from({ length: 50 }, (_, index) => (index + 1) * 64));
    expect((await app.get(`${query}&order=newest`, 'operator')).status).toBe(200);
    for (const [path, by] of [
      [query, 'shop'],
      [query, 'alice'],
      [`${query}&token=shop`, 'operator'],
      [`${query}&order=oldest`, 'operator'],
      [`/v1/refusals?cursor=${cursor}`, 'operator'],
    ] as const) {
      const { status, body } = await app.get(path, by);
      expect([path, status, body.error]).toEqual([
        path,
        400,
        expect.stringMatching(/^cursor must/),
      ]);
    }
  });
});
