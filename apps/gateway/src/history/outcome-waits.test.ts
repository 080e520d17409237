import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Sponsorship } from '@forecourt/contracts';
import { waitUntil } from '@forecourt/testing/system';
import { type HistoryApp, startHistoryApp } from './history-app.test-support.js';
import { aSponsorship, digestOf, full, Records } from './records.test-support.js';

const ID = 64;
const DIGEST = digestOf(ID);
const executing = aSponsorship(ID, { status: 'executing', outcome: null, ended_at: null });
const executed = aSponsorship(ID);
const PATH = `/v1/transactions/${DIGEST}?wait_ms=30000`;

const records = new Records();
let app: HistoryApp;
beforeAll(async () => {
  app = await startHistoryApp(records, { maxOutcomeWaits: 4 });
});
afterAll(() => app.close());
beforeEach(() => {
  records.pooled = [executing];
  records.stored = [];
  records.waits.length = 0;
  records.onRead = () => undefined;
});

/** As an executor publishes it. */
function publish(outcome: object): void {
  const reply = { digest: DIGEST, reservationId: ID, fence: 1, outcome };
  app.outcomes.receive(JSON.stringify(reply));
}
const untilWaiting = (count = 1) =>
  waitUntil(async () => records.waits.length >= count, { what: 'a wait for the outcome' });

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work, performance.now() - began];
}

describe('a wait for the end of a transaction', () => {
  it.each<[string, Sponsorship]>([
    ['executed', executed],
    ['refused, so that the reservation is free again', { ...executing, status: 'reserved' }],
    ['refused, and replaced by another one', { ...executing, digest: digestOf(128) }],
  ])('ends as soon as it is %s', async (_name, ended) => {
    const request = timed(app.get(PATH));
    await untilWaiting();
    records.pooled = [ended];
    publish({ kind: 'executed', effects: {} });
    const [{ status, body }, ms] = await request;
    expect([status, body]).toEqual([200, { result: ended }]);
    expect(ms).toBeLessThan(1_500);
  });

  it('does not miss an outcome that arrives while the state is read', async () => {
    records.onRead = () => {
      if (records.waits.length === 0) return;
      records.onRead = () => undefined;
      records.pooled = [executed];
      publish({ kind: 'executed', effects: {} });
    };
    const [{ body }, ms] = await timed(app.get(PATH));
    expect(body.result).toMatchObject({ status: 'executed' });
    expect(ms).toBeLessThan(1_500);
  });

  it('notices an outcome whose event is lost, and one that is in the database by then', async () => {
    const request = app.get(PATH);
    await untilWaiting();
    records.pooled = [];
    records.stored = [executed];
    expect((await request).body).toEqual({ result: executed });
  });

  it('returns the state when the time is over', async () => {
    const [{ status, body }, ms] = await timed(app.get(`/v1/transactions/${DIGEST}?wait_ms=300`));
    expect([status, body]).toEqual([200, { result: executing }]);
    expect(ms).toBeGreaterThanOrEqual(300);
  });

  it('does not begin without wait_ms, after the end, or for what the caller may not see', async () => {
    expect((await app.get(`/v1/transactions/${DIGEST}`)).body).toEqual({ result: executing });
    expect((await app.get(PATH, 'other')).status).toBe(404);
    expect((await app.get(PATH, 'alice')).status).toBe(404);
    records.pooled = [executed];
    expect((await app.get(PATH)).body).toEqual({ result: executed });
    expect(records.waits).toEqual([]);
  });

  it('asks the executor in the name of the reservation’s caller', async () => {
    records.pooled = [{ ...executing, user: full('a') }];
    const request = app.get(PATH, 'operator');
    await untilWaiting();
    expect(records.waits[0]).toMatchObject({
      caller: `shop:${full('a')}`,
      reservationId: ID,
      digest: DIGEST,
      waiter: { gateway: app.outcomes.gateway, requestType: 'waitForEffectsCert' },
    });
    records.pooled = [{ ...executed, user: full('a') }];
    publish({ kind: 'executed', effects: {} });
    expect((await request).body.result).toMatchObject({ status: 'executed' });
  });

  it('has a place, which is free again once the client has left', async () => {
    const headers = { authorization: 'Bearer shop' };
    const clients = [1, 2].map(() => get(`${app.url}${PATH}`, { headers, agent: false }));
    const left = clients.map((client) => once(client, 'error'));
    await untilWaiting(2);
    const refused = await app.get(PATH);
    expect([refused.status, refused.headers.get('error-code')]).toEqual([503, 'OVERLOADED']);
    expect((await app.get('/v1/sponsorships')).status).toBe(200);
    for (const client of clients) client.destroy();
    await Promise.all(left);
    records.pooled = [executed];
    await waitUntil(async () => (await app.get(PATH)).status === 200, {
      what: 'a place for another wait',
      timeoutMs: 1_500,
    });
  });
});
