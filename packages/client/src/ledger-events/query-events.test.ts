import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerEvents, LedgerEventsError, type StoredEventRecord } from '../index.js';
import { eventOf, StandInEvents } from './stand-in-events.test-support.js';

let server: StandInEvents;
let events: LedgerEvents;
beforeEach(async () => {
  server = await StandInEvents.start();
  server.publish(7);
  events = new LedgerEvents({ url: server.url });
});
afterEach(() => server.stop());

const numbers = (records: readonly StoredEventRecord[]) => records.map(({ id }) => id.txSeq);
const all = async (iterator: AsyncIterable<StoredEventRecord>) => {
  const found: StoredEventRecord[] = [];
  for await (const record of iterator) found.push(record);
  return found;
};
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('no error')),
    (error: unknown) => error,
  );
const rpcError = (status: number, error: object, headers = {}) => ({
  status,
  headers,
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
});

describe('query', () => {
  it('returns every event, page by page, in either order and from a cursor', async () => {
    expect(await all(events.query('All', { pageSize: 3 }))).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map(eventOf),
    );
    expect(server.requests).toHaveLength(3);
    const newest = await all(events.query('All', { pageSize: 3, descending: true }));
    expect(numbers(newest)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(numbers(await all(events.query('All', { pageSize: 3, cursor: 5 })))).toEqual([5, 6]);
  });

  it('sends the criterion, the cursor, the size and the ordering by position', async () => {
    await all(events.query({ Sender: '0xa' }, { descending: true, cursor: 2 }));
    expect(server.requests.map(({ call }) => call)).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'ledger_getEvents',
        params: [{ Sender: '0xa' }, 2, 100, 'Descending'],
      },
    ]);
  });

  it('reads a page only when its first event is taken, and none after the loop has ended', async () => {
    const query = events.query('All', { pageSize: 3 });
    expect(server.requests).toHaveLength(0);
    const requests: number[] = [];
    for await (const { id } of query) {
      requests.push(server.requests.length);
      if (id.txSeq === 4) break;
    }
    expect(requests).toEqual([1, 1, 1, 2, 2]);
    expect(server.requests).toHaveLength(2);
  });

  it('returns pages with their cursors', async () => {
    const page = await events.readPage('All', { pageSize: 5 });
    expect([numbers(page.data), page.nextCursor]).toEqual([[0, 1, 2, 3, 4], 5]);
    const rest = await events.readPage('All', { cursor: page.nextCursor });
    expect([numbers(rest.data), rest.nextCursor]).toEqual([[5, 6], null]);
  });

  it('sends the token if there is one', async () => {
    await events.readPage('All');
    await new LedgerEvents({ url: server.url, token: 'secret' }).readPage('All');
    const tokens = server.requests.map(({ headers }) => headers.authorization);
    expect(tokens).toEqual([undefined, 'Bearer secret']);
  });

  it('continues at its position after lost connections, restarts and limits', async () => {
    server.refusals.push(
      'lost',
      { status: 503, headers: { 'retry-after': '0' }, body: '<html>' },
      rpcError(429, { code: -32009, message: 'Too many requests' }, { 'retry-after': '0' }),
      rpcError(200, { code: -32009, message: 'Too many requests; retry in 1 s' }),
    );
    expect(await all(events.query('All', { pageSize: 7 }))).toHaveLength(7);
    expect(server.requests).toHaveLength(5);
  });

  it('throws the error of the service with its data, and does not repeat the call', async () => {
    const data = { earliest: { cursor: 5, checkpoint: 5, txSeq: 5 } };
    server.refusals.push(rpcError(200, { code: -32000, message: 'History is pruned', data }));
    const error = await failureOf(all(events.query('All')));
    expect(error).toBeInstanceOf(LedgerEventsError);
    expect(error).toMatchObject({
      code: 'CALL_FAILED',
      rpcCode: -32000,
      message: 'History is pruned',
      data,
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [rpcError(200, { code: -32602, message: 'position 1' }), 'INVALID_PARAMS', /position 1/],
    [rpcError(413, { code: -32701, message: 'too big' }), 'REQUEST_TOO_BIG', /too big/],
    [rpcError(200, { code: -1, message: 'odd' }), 'UNEXPECTED_ANSWER', /odd/],
    [
      { status: 401, body: JSON.stringify({ error: 'Invalid authorization token' }) },
      'UNAUTHORIZED',
      /valid token: Invalid authorization token/,
    ],
    [{ status: 404, body: '<html>' }, 'UNEXPECTED_ANSWER', /status 404/],
    [{ status: 200, body: 'null' }, 'UNEXPECTED_ANSWER', /status 200/],
    [{ status: 200, body: '{"result":{}}' }, 'UNEXPECTED_ANSWER', /status 200/],
  ])('calls %j %s', async (refusal, code, message) => {
    server.refusals.push(refusal);
    const error = (await failureOf(events.readPage('All'))) as LedgerEventsError;
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController();
    const query = events.query('All', { pageSize: 1, signal: controller.signal });
    await query.next();
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await failureOf(query.next())).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('names the service that it cannot reach', async () => {
    const { url } = server;
    await server.stop();
    server = await StandInEvents.start();
    const unreachable = new LedgerEvents({ url, timeoutMs: 300 });
    const error = (await failureOf(unreachable.readPage('All'))) as LedgerEventsError;
    expect(error.code).toBe('UNREACHABLE');
    expect(error.message).toContain(`${url}/rpc`);
  });
});
