import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@forecourt/policy/tokens';
import type { EventStream } from '@forecourt/testing/event-stream';
import { waitUntil } from '@forecourt/testing/system';
import { callers } from '../history/history-app.test-support.js';
import {
  idsOf,
  RECORDS,
  startStreamApp,
  untilHas,
  useStreamApp,
} from './stream-app.test-support.js';

const gateway = useStreamApp();

const untilEnded = (stream: EventStream) =>
  waitUntil(async () => stream.ended !== null, { what: 'the end of the stream' });

describe('the work of a gateway for streams', () => {
  it('is nothing without clients, and one read for all of them', async () => {
    expect(gateway.log.reads).toBe(0);
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => gateway.app.open('shop', RECORDS)),
    );
    const before = gateway.log.reads;
    gateway.log.change(64, 'shop');
    await untilHas(streams[0]!, 1);
    expect(gateway.log.reads - before).toBeLessThan(8);
    for (const stream of streams) stream.close();
    await waitUntil(async () => gateway.app.feed.isIdle);
    const again = await gateway.app.open('shop', RECORDS);
    gateway.log.change(128, 'shop');
    await untilHas(again, 1);
    expect(idsOf(again)).toEqual([128]);
  });

  it('ends with the answer to HEAD', async () => {
    const headers = { authorization: 'Bearer shop' };
    const { status } = await fetch(`${gateway.app.url}/v1/stream`, { method: 'HEAD', headers });
    expect(status).toBe(200);
    await waitUntil(async () => gateway.app.feed.isIdle);
  });

  it('is bounded for each token, with a place for others, and given back', async () => {
    const small = await startStreamApp(gateway.log, { maxStreams: 4 });
    const taken = [await small.open('shop'), await small.open('shop')];
    const { status, body, headers } = await small.open('shop');
    expect([status, body, headers.get('error-code'), headers.get('retry-after')]).toEqual([
      429,
      { error: 'Too many open streams; close one or try again later' },
      'STREAM_LIMIT',
      expect.any(String),
    ]);
    expect((await small.open('other')).status).toBe(200);
    for (const stream of taken) stream.close();
    await waitUntil(async () => (await small.open('shop')).status === 200);
    await small.close();
  });

  it('ends for a client that does not read, and for no other one', async () => {
    const { hostname, port } = new URL(gateway.app.url);
    const slow = connect(Number(port), hostname);
    slow.write(`GET /v1/stream${RECORDS} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer all\r\n\r\n`);
    await new Promise((resolve) => slow.once('readable', resolve));
    const closed = new Promise<void>((resolve) => slow.once('close', () => resolve()));
    slow.on('error', () => undefined);
    const quick = await gateway.app.open('all', RECORDS);
    // More than the client's bound and the buffers of the system.
    for (let n = 1; n <= 30_000; n++) {
      gateway.log.change(n * 64, 'shop');
      if (n % 2_000 === 0) await untilHas(quick, n);
    }
    slow.resume();
    await closed;
    expect([quick.events.length, quick.ended]).toEqual([30_000, null]);
  });
});

describe('a stream ends', () => {
  it.each<[string, Caller | null]>([
    ['revoked', null],
    ['given to another user', callers.bob],
    ['given other roles', { ...callers.operator, name: 'shop', token: 'shop' }],
  ])('when its token is %s', async (_name, changed) => {
    const mine = await gateway.app.open('shop', RECORDS);
    const other = await gateway.app.open('other', RECORDS);
    const { other: theirs } = callers;
    gateway.app.setCallers(changed === null ? { other: theirs } : { other: theirs, shop: changed });
    await untilEnded(mine);
    expect([mine.ended, other.ended]).toEqual(['in order', null]);
  });

  it('goes on when its token only has other limits', async () => {
    const stream = await gateway.app.open('shop');
    gateway.app.setCallers({
      ...callers,
      shop: { ...callers.shop, rateLimit: { requests: 1, windowMs: 1 } },
    });
    const { length } = stream.of('figures');
    await waitUntil(async () => stream.of('figures').length >= length + 2);
    expect(stream.ended).toBeNull();
  });

  it('in order when its gateway stops, which refuses new ones', async () => {
    const stream = await gateway.app.open('shop', RECORDS);
    gateway.log.change(64, 'shop');
    await untilHas(stream, 1);
    gateway.app.state.stop();
    await untilEnded(stream);
    expect(stream.ended).toBe('in order');
    const { status, headers } = await gateway.app.open('shop', RECORDS, {
      lastEventId: stream.lastId,
    });
    expect([status, headers.get('error-code')]).toEqual([503, 'SHUTTING_DOWN']);
    const other = await startStreamApp(gateway.log);
    gateway.log.change(128, 'shop');
    const resumed = await other.open('shop', RECORDS, { lastEventId: stream.lastId });
    await untilHas(resumed, 1);
    expect(idsOf(resumed)).toEqual([128]);
    await other.close();
  });
});
