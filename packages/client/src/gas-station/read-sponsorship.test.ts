import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GasStation } from '../index.js';
import { refusal, StandInGasStation } from './stand-in-gas-station.test-support.js';

const DIGEST = '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC';
const record = {
  reservation_id: 64,
  status: 'executed',
  outcome: 'success',
  gas_budget: '9007199254740993',
  reserved_balance: '1',
  gas: { computation: '5', storage: '2', rebate: '8', net: '-1', counted: '0' },
  gas_coins: [{ objectId: '0x7', version: 3, digest: DIGEST }],
  refusals: [{ at: 1, status: 400, code: 'REFUSED_BY_LEDGER', message: '12', digest: null }],
  timeline: [{ at: 1, event: 'reserved' }],
  request_ids: ['a_b'],
  ended_at: null,
};

let server: StandInGasStation;
let station: GasStation;
beforeAll(async () => {
  server = await StandInGasStation.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.clear();
  server.respond = () => ({ body: { result: record } });
  station = new GasStation({ url: server.url });
});
const paths = () => server.requests.map(({ method, path }) => `${method} ${path}`);

describe('a sponsorship', () => {
  it('has its fields in camelCase, and exact amounts', async () => {
    expect(await station.sponsorship(64)).toEqual({
      reservationId: 64,
      status: 'executed',
      outcome: 'success',
      gasBudget: 9_007_199_254_740_993n,
      reservedBalance: 1n,
      gas: { computation: 5n, storage: 2n, rebate: 8n, net: -1n, counted: 0n },
      gasCoins: record.gas_coins,
      refusals: record.refusals,
      timeline: record.timeline,
      requestIds: ['a_b'],
      endedAt: null,
    });
    expect(paths()).toEqual(['GET /v1/sponsorships/64']);
  });

  it('is null where the gas station has none, and nothing else is', async () => {
    server.respond = () => refusal(404, 'TRANSACTION_UNKNOWN', 'No record of reservation 64');
    expect(await station.sponsorship(64)).toBeNull();
    expect(await station.transaction(DIGEST)).toBeNull();
    server.respond = () => refusal(404, 'NOT_FOUND', 'No such route');
    await expect(station.sponsorship(64)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    server.respond = () => refusal(501, 'HISTORY_OFF', 'This gas station keeps no history');
    await expect(station.transaction(DIGEST)).rejects.toMatchObject({ code: 'HISTORY_OFF' });
    server.respond = () => ({ body: { result: 'a page' } });
    await expect(station.sponsorship(64)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });
});

describe('a transaction', () => {
  it('needs one request without waitMs, for every form of its digest', async () => {
    server.respond = () => ({ body: { result: { ...record, status: 'executing' } } });
    expect(await station.transaction('a+b/c=')).toMatchObject({ status: 'executing' });
    expect(paths()).toEqual(['GET /v1/transactions/a%2Bb%2Fc%3D']);
  });

  it('is requested again until it has ended', async () => {
    const states = ['executing', 'quarantined', 'reserved'];
    server.respond = () => ({ body: { result: { ...record, status: states.shift() } } });
    const found = await station.transaction(DIGEST, { waitMs: 100_000 });
    expect([found!.status, states]).toEqual(['reserved', []]);
    expect(paths()).toEqual(Array(3).fill(`GET /v1/transactions/${DIGEST}?wait_ms=30000`));
  });

  it('is returned as it is when the time is over', async () => {
    server.respond = () => ({ body: { result: { ...record, status: 'executing' } } });
    const found = await station.transaction(DIGEST, { waitMs: 20 });
    expect(found).toMatchObject({ status: 'executing' });
    expect(paths().at(-1)).toBe(`GET /v1/transactions/${DIGEST}`);
  });

  it('cannot be waited for by what is not a time', async () => {
    await expect(station.transaction(DIGEST, { waitMs: -1 })).rejects.toThrow(TypeError);
    await expect(station.transaction(DIGEST, { waitMs: NaN })).rejects.toThrow(TypeError);
    expect(paths()).toEqual([]);
  });
});

describe('usage', () => {
  const figures = { transactions: 2, failed: 1, refused: 0, gas: '-9007199254740993' };
  beforeEach(() => {
    const rows = [{ day: '2026-11-25', token: '12', ...figures }];
    const result = { from: 1, to: 2, group_by: ['day', 'token'], rows, total: figures };
    server.respond = () => ({ body: { result } });
  });

  it('has exact sums', async () => {
    const exact = { ...figures, gas: -9_007_199_254_740_993n };
    const request = { from: 1, to: 2, groupBy: ['day', 'token'], token: 'a&b' } as const;
    expect(await station.usage(request)).toEqual({
      from: 1,
      to: 2,
      groupBy: ['day', 'token'],
      rows: [{ day: '2026-11-25', token: '12', ...exact }],
      total: exact,
    });
    expect(paths()).toEqual(['GET /v1/usage?from=1&to=2&token=a%26b&group_by=day%2Ctoken']);
  });

  it('is requested without parameters that are not given', async () => {
    await station.usage();
    await station.usage({ groupBy: [], sender: '0x1' });
    expect(paths()).toEqual(['GET /v1/usage?', 'GET /v1/usage?sender=0x1']);
  });
});
